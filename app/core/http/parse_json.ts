import { safeParse } from '@poppinss/utils/json'
import { MalformedJson, invalidField } from '#core/exceptions/problems'
import { MAX_JSON_DEPTH, isNestedTooDeep } from '#core/http/json_depth'
import { isCleanText } from '#core/values/clean_text'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** See conventions.md#json-syntax. @throws MalformedJson, ValidationError */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  if (isNestedTooDeep(text)) throw nestedTooDeep('JSON')
  const value = parse(text)
  // Forbidden characters can only be written as escapes: raw, they are not valid JSON or UTF-8.
  if (text.includes('\\u')) requireCleanText(value, '')
  return value
}

/**
 * Scalars are never valid bodies. Validators decide about arrays.
 *
 * @throws MalformedJson, ValidationError
 */
export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes)
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

function requireCleanText(value: unknown, path: string) {
  if (typeof value === 'string') {
    if (!isCleanText(value)) {
      throw invalidField(
        path,
        'cleanText',
        'Text must not contain NUL characters or lone surrogates'
      )
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      requireCleanText(key, path)
      requireCleanText(child, path === '' ? key : `${path}.${key}`)
    }
  }
}
