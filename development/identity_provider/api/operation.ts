import type { SchemaObject } from 'ajv'
import { MAX_PAGE } from './schema.ts'
import type { State } from './state.ts'

export interface UploadedFile {
  contentType: string
  bytes: number
}

export interface Call<Body = Record<string, never>> {
  state: State
  /** The decoded ids in the path. */
  ids: string[]
  body: Body
  /** Of an operation that takes a file. */
  file: UploadedFile
  /** Default: the caller's own. */
  orgId: string
  version: ApiVersion
  /** Sends a mail, later. */
  send: (mail: object) => void
  /** Where users choose a new password. */
  passwordPage: URL
}

/** What differs between versions of the real provider. */
export interface ApiVersion {
  /** If false, the response to adding an e-mail provider lacks its key, which can be read later. */
  returnsKeyOnAdding: boolean
  /** If false, e-mail providers have no key, as in a version that does not sign. */
  signs: boolean
  /** Whether first and last names can be empty. */
  clearsNames: boolean
}

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The groups are the ids in the path. */
  path: RegExp
  permission: string
  /** Whether it changes the state. */
  writes?: boolean
  /** Default: 200. */
  status?: number
  /** What it takes; by default, nothing. */
  takes?: SchemaObject | 'file'
  run(call: Call): unknown
}

/** An operation whose body has the type that `takes` describes. */
export function operation<Body = Record<string, never>>(
  definition: Omit<Operation, 'run'> & { run(call: Call<Body>): unknown }
): Operation {
  return definition as Operation
}

export interface PageQuery {
  offset?: string
  limit?: number
  asc?: boolean
}

/** `result` is absent if nothing was found. */
export function page<T>(found: T[], { offset = '0', limit = 0 }: PageQuery = {}) {
  const first = Number(offset)
  const result = found.slice(first, first + (limit || MAX_PAGE))
  const details = { totalResult: String(found.length), timestamp: new Date().toISOString() }
  return { details, ...(result.length > 0 && { result }) }
}

export function matches(value: string, wanted: string, method = 'TEXT_QUERY_METHOD_EQUALS') {
  switch (method) {
    case 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE':
      return value.toLowerCase() === wanted.toLowerCase()
    case 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE':
      return value.toLowerCase().includes(wanted.toLowerCase())
    default:
      return value === wanted
  }
}

export interface NameQuery {
  nameQuery: { name: string; method?: string }
}

export function filterByName<T extends { name: string }>(items: T[], queries: NameQuery[] = []) {
  return items.filter(({ name }) =>
    queries.every(({ nameQuery }) => matches(name, nameQuery.name, nameQuery.method))
  )
}

export const changed = () => ({ details: { changeDate: new Date().toISOString() } })
