import { unusableResponse } from '#app/identity_provider/zitadel/call_provider'

/** Default values may be absent, unknown members are ignored, and ids are text. */
export type JsonObject = Record<string, unknown>

export function readObject(response: unknown, name: string): JsonObject {
  const value = (response as JsonObject | null | undefined)?.[name]
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {}
}

export function readText(response: unknown, name: string): string | null {
  const value = (response as JsonObject | null | undefined)?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** @throws UpstreamUnreachable if it is absent */
export function requireText(response: unknown, name: string): string {
  const value = readText(response, name)
  if (value === null) throw unusableResponse()
  return value
}

export function readResults(response: unknown): JsonObject[] {
  const { result } = (response ?? {}) as { result?: unknown }
  return Array.isArray(result) ? result : []
}

/** The number of results on all pages. */
export function readTotal(response: unknown): number {
  const total = Number(readObject(response, 'details').totalResult)
  return Number.isFinite(total) ? total : 0
}

export function readTexts(response: unknown, name: string): string[] {
  const value = (response as JsonObject | null | undefined)?.[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
