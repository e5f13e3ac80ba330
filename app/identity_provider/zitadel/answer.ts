import { unusableAnswer } from '#app/identity_provider/zitadel/call_provider'

/** Default values may be absent, unknown members are ignored, and ids are text. */
export type Answer = Record<string, unknown>

export function readObject(answer: unknown, name: string): Answer {
  const value = (answer as Answer | null | undefined)?.[name]
  return typeof value === 'object' && value !== null ? (value as Answer) : {}
}

export function readText(answer: unknown, name: string): string | null {
  const value = (answer as Answer | null | undefined)?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** @throws UpstreamUnreachable if it is absent */
export function requireText(answer: unknown, name: string): string {
  const value = readText(answer, name)
  if (value === null) throw unusableAnswer()
  return value
}

export function readResults(answer: unknown): Answer[] {
  const { result } = (answer ?? {}) as { result?: unknown }
  return Array.isArray(result) ? result : []
}

/** The number of results on all pages. */
export function readTotal(answer: unknown): number {
  const total = Number(readObject(answer, 'details').totalResult)
  return Number.isFinite(total) ? total : 0
}

export function readTexts(answer: unknown, name: string): string[] {
  const value = (answer as Answer | null | undefined)?.[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
