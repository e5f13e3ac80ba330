import type { WriteRoute } from '#tests/access/write_routes'
import { credentials, sendBody } from '#tests/helpers/send'

export type Json = unknown

const AT_ONCE = 12

export function nameOf({ method, pattern }: WriteRoute) {
  return `${method} ${pattern}`
}

/** Concurrent, to find races, but fewer than one author may queue. */
export async function together<T>(values: T[], run: (value: T) => Promise<void>) {
  for (let from = 0; from < values.length; from += AT_ONCE) {
    await Promise.all(values.slice(from, from + AT_ONCE).map(run))
  }
}

export async function sendJson(route: WriteRoute, body: Json) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = await credentials(route.sender, text)
  // Some routes require the state that a write is based on; any will do.
  return sendBody(route.method, route.path, text, { ...headers, 'if-match': '*' })
}

interface Field {
  path: (string | number)[]
  value: Json
}

/** Including fields of nested objects and arrays. */
export function fieldsOf(value: Json, path: Field['path'] = []): Field[] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) =>
          fieldsOf(child, [...path, Array.isArray(value) ? Number(key) : key])
        )
      : []
  return path.length === 0 ? inside : [{ path, value }, ...inside]
}

export function replaced(body: Json, [key, ...rest]: Field['path'], value: Json): Json {
  if (key === undefined) return value
  const copy: Record<string | number, Json> = Array.isArray(body)
    ? ([...body] as never)
    : { ...(body as object) }
  copy[key] = replaced(copy[key], rest, value)
  return copy
}

export function typeOf(value: Json) {
  return Array.isArray(value) ? 'array' : typeof value
}
