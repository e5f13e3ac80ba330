import router from '@adonisjs/core/services/router'

/** The methods that some route serves at `path`: what a 405 names in its `Allow` header. */
export function allowedMethods(path: string): string[] {
  const routes = Object.values(router.toJSON()).flat()
  const matching = routes.filter(
    (route) => router.match(path, route.methods[0], false)?.route.pattern === route.pattern
  )
  return [...new Set(matching.flatMap((route) => route.methods))]
}
