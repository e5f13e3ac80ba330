import { safeParse } from '@poppinss/utils/json'
import { MalformedJson, invalidField } from '#core/exceptions/problems'
import { MAX_JSON_DEPTH, isNestedTooDeep } from '#core/http/json_depth'
import { isCleanText } from '#core/values/clean_text'
import { CooperativeQueue } from '#core/values/cooperative_queue'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** `\u0000` or a surrogate, which may be one of a pair. */
const UNCLEAN_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/

/** Smaller bodies wait for no turn. */
const SMALL_BYTES = 16_384

/** Hundreds of large bodies can arrive together. */
const turns = new CooperativeQueue()

/** See conventions.md#json-syntax. @throws MalformedJson, ValidationError */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  if (isNestedTooDeep(text)) throw nestedTooDeep('JSON')
  const value = parse(text)
  // Forbidden characters can only be written as escapes: raw, they are not valid JSON or UTF-8.
  if (UNCLEAN_ESCAPE.test(text)) requireCleanText(value)
  return value
}

/**
 * Scalars are never valid bodies. Validators decide about arrays. Large bodies take turns with each
 * other and with other requests.
 *
 * @param caller who sent the body, only to tell callers apart
 * @throws MalformedJson, ValidationError
 */
export async function parseJsonBody(
  bytes: Buffer,
  caller?: unknown
): Promise<Record<string, unknown>> {
  const work = () => parseJson(bytes)
  const value = bytes.length < SMALL_BYTES ? work() : await turns.run(work, { group: caller })
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw invalidField('', 'object', 'The body must be a JSON object')
}

export const nestedTooDeep = (language: string) =>
  invalidField('', 'depth', `${language} must have at most ${MAX_JSON_DEPTH} levels of nesting`)

function decode(bytes: Buffer) {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new MalformedJson({ detail: 'The body is not valid UTF-8', cause })
  }
}

function parse(text: string): unknown {
  try {
    return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u')
      ? safeParse(text)
      : JSON.parse(text)
  } catch (cause) {
    throw new MalformedJson({ cause })
  }
}

function requireCleanText(value: unknown) {
  const path = pathOfUnclean(value)
  if (path === null) return
  const reason = 'Text must not contain NUL characters or lone surrogates'
  throw invalidField(path.join('.'), 'cleanText', reason)
}

/** Builds a path only where it finds something: a body can have a hundred thousand values. */
function pathOfUnclean(value: unknown): string[] | null {
  if (typeof value === 'string') return isCleanText(value) ? null : []
  if (Array.isArray(value)) return pathOfUncleanItem(value)
  if (typeof value !== 'object' || value === null) return null
  for (const key in value) {
    if (!isCleanText(key)) return []
    const path = pathOfUnclean((value as Record<string, unknown>)[key])
    if (path) return [key, ...path]
  }
  return null
}

/** The indexes of a long array are slow to read as keys. */
function pathOfUncleanItem(items: unknown[]): string[] | null {
  for (const [index, item] of items.entries()) {
    const path = pathOfUnclean(item)
    if (path) return [String(index), ...path]
  }
  return null
}
