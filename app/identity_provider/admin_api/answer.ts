import { unusableAnswer } from '#app/identity_provider/admin_api/ask_provider'

/**
 * Reading the provider's answers: default values may be absent, unknown members are ignored, ids are text.
 */
export type Answer = Record<string, unknown>

export function memberOf(answer: unknown, name: string): Answer {
  const value = (answer as Answer | null | undefined)?.[name]
  return typeof value === 'object' && value !== null ? (value as Answer) : {}
}

export function textOf(answer: unknown, name: string): string | null {
  const value = (answer as Answer | null | undefined)?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** @throws UpstreamUnreachable when the answer does not hold it */
export function requiredText(answer: unknown, name: string): string {
  const value = textOf(answer, name)
  if (value === null) throw unusableAnswer()
  return value
}

/** `result` of a search, absent when nothing was found. */
export function resultOf(answer: unknown): Answer[] {
  const { result } = (answer ?? {}) as { result?: unknown }
  return Array.isArray(result) ? result : []
}

/** How many a search found, of which its answer is a page. */
export function totalOf(answer: unknown): number {
  const total = Number(memberOf(answer, 'details').totalResult)
  return Number.isFinite(total) ? total : 0
}

export function textsOf(answer: unknown, name: string): string[] {
  const value = (answer as Answer | null | undefined)?.[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
