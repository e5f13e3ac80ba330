import httpLimits from '#config/http_limits'

const { pathSegments, parameters } = httpLimits.url
const SLASH = 0x2f
const AMPERSAND = 0x26
const QUESTION_MARK = 0x3f

/**
 * Why a URL is refused; null if it is not. The framework parses the whole URL before anything else
 * can refuse the request, which takes milliseconds for a URL of many parts.
 */
export function urlFault(url: string): string | null {
  let segments = 0
  let pairs = 1
  let isPath = true
  for (let index = 0; index < url.length; index++) {
    const character = url.charCodeAt(index)
    if (character === QUESTION_MARK) isPath = false
    else if (isPath && character === SLASH) segments++
    else if (!isPath && character === AMPERSAND) pairs++
  }
  if (segments > pathSegments) return `The path may have at most ${pathSegments} segments`
  if (pairs > parameters) return `The query may have at most ${parameters} parameters`
  return null
}
