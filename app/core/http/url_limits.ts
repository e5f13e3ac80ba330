import { MalformedRequest, invalidField } from '#core/exceptions/problems'
import type { Problem } from '#core/exceptions/problem'
import httpLimits from '#config/http_limits'

const { pathSegments, parameters } = httpLimits.url
const SLASH = 0x2f
const AMPERSAND = 0x26
const EQUALS = 0x3d
const QUESTION_MARK = 0x3f
const PERCENT = 0x25
const BRACKET = 0x5b
const ENCODED_BRACKET = /^%5b$/i

/**
 * Why a URL is refused; null if it is not. The framework parses the whole URL before anything else
 * can refuse the request, which takes milliseconds for a URL of many parts. Lists and objects such
 * as `a[b]`, which no route reads, took 14 ms and 6 MB.
 */
export function urlProblem(url: string): Problem | null {
  let segments = 0
  let pairs = 1
  let isPath = true
  /** Where the name of a parameter begins, unless its value is read. */
  let nameAt = -1
  let bracketed: string | undefined
  for (let index = 0; index < url.length; index++) {
    const character = url.charCodeAt(index)
    if (isPath) {
      if (character === SLASH) segments++
      else if (character === QUESTION_MARK) [isPath, nameAt] = [false, index + 1]
    } else if (character === AMPERSAND) {
      pairs++
      nameAt = index + 1
    } else if (character === EQUALS) nameAt = -1
    else if (nameAt !== -1 && isBracket(url, index, character)) {
      bracketed ??= url.slice(nameAt, index)
    }
  }
  if (segments > pathSegments) {
    return malformed(`The path may have at most ${pathSegments} segments`)
  }
  if (pairs > parameters) return malformed(`The query may have at most ${parameters} parameters`)
  return bracketed === undefined ? null : noText(bracketed)
}

const isBracket = (url: string, index: number, character: number): boolean =>
  character === BRACKET ||
  (character === PERCENT && ENCODED_BRACKET.test(url.slice(index, index + 3)))

function noText(name: string): Problem {
  const field = /^\w{1,64}$/.test(name) ? name : ''
  return invalidField(field, 'string', 'A parameter of a query must be text, without [ in its name')
}

export function malformed(detail: string): Problem {
  return new MalformedRequest({ detail, headers: { connection: 'close' } })
}
