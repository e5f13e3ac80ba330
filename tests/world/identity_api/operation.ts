import { invalid } from '#tests/world/identity_api/refusal'
import type { State } from '#tests/world/identity_api/state'

export interface Call {
  state: State
  /** The decoded ids in the path. */
  ids: string[]
  body: Record<string, unknown>
  /** Default: the caller's own. */
  orgId: string
  raw: Buffer
  contentType: string
}

export interface Operation {
  method: string
  /** The groups are the ids in the path. */
  path: RegExp
  permission: string
  /** Reads may lag behind such an operation. */
  writes?: boolean
  /** Default: 200. */
  status?: number
  takes?: 'json' | 'form'
  run: (call: Call) => unknown
}

export function text(body: Record<string, unknown>, name: string, maxLength = 200): string {
  const value = body[name]
  if (typeof value !== 'string' || value.length === 0 || value.length > maxLength) {
    throw invalid(`invalid ${name}`)
  }
  return value
}

export function texts(value: unknown): string[] {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
    throw invalid('not a list of strings')
  }
  return value as string[]
}

/** `result` is absent if nothing was found. */
export function page<T>(found: T[], query: unknown, maxPage: number) {
  const { offset = '0', limit = maxPage } = (query ?? {}) as { offset?: string; limit?: number }
  if (typeof offset !== 'string' || !/^\d+$/.test(offset)) throw invalid('invalid offset')
  if (typeof limit !== 'number' || limit < 0 || limit > maxPage) throw invalid('invalid limit')
  const result = found.slice(Number(offset), Number(offset) + (limit || maxPage))
  const details = { totalResult: String(found.length), timestamp: new Date().toISOString() }
  return { details, ...(result.length > 0 && { result }) }
}

export function matches(value: string, wanted: unknown, method: unknown): boolean {
  if (typeof wanted !== 'string') throw invalid('invalid query')
  switch (method ?? 'TEXT_QUERY_METHOD_EQUALS') {
    case 'TEXT_QUERY_METHOD_EQUALS':
      return value === wanted
    case 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE':
      return value.toLowerCase() === wanted.toLowerCase()
    case 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE':
      return value.toLowerCase().includes(wanted.toLowerCase())
    default:
      throw invalid('unknown method')
  }
}

export const changed = () => ({ details: { changeDate: new Date().toISOString() } })

export const setting = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
