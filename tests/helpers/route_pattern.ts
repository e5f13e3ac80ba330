import router from '@adonisjs/core/services/router'
import type { SeenResponse } from '#tests/world/watch_response'

/** HEAD requests are served by the route of their GET. */
export function patternOf({
  method,
  url,
}: Pick<SeenResponse, 'method' | 'url'>): string | undefined {
  try {
    return router.match(pathOf(url), method, false)?.route.pattern
  } catch {
    return undefined // A malformed escape gets a response before any route is looked for.
  }
}

/** The path as the router sees it: decoded, except for escaped separators. */
function pathOf(url: string) {
  return decodeURI(url.split(/[?#]/)[0].replaceAll('%25', '%2525'))
}
