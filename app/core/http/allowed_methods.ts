import type { HttpRequest } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'
import { isOpenToOrigins } from '#core/http/cross_origin'
import { isServedHere } from '#core/network/internal_listener'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods for the `Allow` header of a 405: those with a route at this path and listener. */
export function allowedMethods(request: HttpRequest): string[] {
  const served = METHODS.filter((method) => {
    const match = router.match(request.url(), method, false)
    return match !== null && isServedHere(guardsOf(match.route), request.request)
  })
  return served.length > 0 && isOpenToOrigins(request.url()) ? [...served, 'OPTIONS'] : served
}

type Route = NonNullable<ReturnType<typeof router.match>>['route']

function* guardsOf({ middleware }: Route): Iterable<string> {
  for (const guard of middleware.all()) {
    if (typeof guard !== 'function' && guard.name) yield guard.name
  }
}
