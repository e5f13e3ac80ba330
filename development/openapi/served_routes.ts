import router from '@adonisjs/core/services/router'
import type { ParsedNamedMiddleware } from '@adonisjs/core/types/http'
import type { SourceCode } from '#development/openapi/source_code'

/** A named middleware in a route's way, with what the route gives it, such as a panel level. */
export interface Guard {
  name: string
  module: string
  argument: unknown
}

export interface ServedRoute {
  /** `GET`, `POST`…; a GET answers HEAD as well. */
  method: string
  /** As the router writes it: `/api/applications/:appCode`. */
  pattern: string
  /** As the description writes it: `/api/applications/{appCode}`. */
  path: string
  name: string
  controller: { module: string; method: string }
  guards: Guard[]
}

type RouterRoute = ReturnType<typeof router.toJSON>[string][number]

/** Every route of the service with what serves it, in the order of the route files. */
export function servedRoutes(source: SourceCode): ServedRoute[] {
  router.commit()
  const routes = Object.values(router.toJSON()).flat()
  const patterns = [...new Set(routes.map(({ pattern }) => pattern))]
  return routes.map((route) => {
    const middleware = [...route.middleware.all()]
    return {
      method: route.methods[0],
      pattern: route.pattern,
      path: pathOf(route.pattern, patterns),
      name: route.name ?? route.pattern,
      controller: controllerOf(route, source),
      guards: middleware.flatMap((one) => (typeof one === 'object' ? guardOf(one) : [])),
    }
  })
}

const shapeOf = (pattern: string) => pattern.replaceAll(/:\w+/g, ':')

/**
 * Two patterns that differ in a parameter's name only are one path of the description, where it is called by both names:
 * `/templates/{appCodeOrId}`.
 */
function pathOf(pattern: string, patterns: string[]): string {
  const alike = patterns.filter((other) => shapeOf(other) === shapeOf(pattern)).sort()
  const names = alike.map((other) => [...other.matchAll(/:(\w+)/g)].map(([, name]) => name))
  let index = 0
  return pattern.replaceAll(/:\w+/g, () => {
    const [first, ...others] = new Set(names.map((list) => list[index]))
    index++
    return `{${[first, ...others.map(capitalized)].join('Or')}}`
  })
}

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1)

function guardOf({ name, reference, args }: Partial<ParsedNamedMiddleware>): Guard[] {
  if (!name || typeof reference !== 'function') return []
  return [{ name, module: moduleIn(String(reference)), argument: args }]
}

/**
 * A handler is `[controller, 'method']`; one that is a function says by the route's name which method it calls, the way
 * the framework names routes: `<group>.<controller>.<method>`.
 */
function controllerOf({ handler, name, pattern }: RouterRoute, source: SourceCode) {
  if (typeof handler === 'object' && handler.importExpression && handler.method) {
    return { module: moduleIn(handler.importExpression), method: String(handler.method) }
  }
  const [controller, method] = (name ?? '').split('.').slice(-2)
  const modules = source.files.map((file) => source.pathOf(file))
  const module = modules.find((path) => path.endsWith(`/controllers/${controller}_controller`))
  if (module && method) return { module, method }
  throw new Error(
    `What serves ${pattern} is not known: give the route [Controller, 'method'], or a name that ends in .<controller>.<method>`
  )
}

/** `app/…` without an ending, from the text of `() => import('…')`. */
function moduleIn(importer: string): string {
  const path = /import\(\s*['"]([^'"]+)['"]/.exec(importer)?.[1] ?? importer
  return path
    .replace(/^#core\//, 'app/core/')
    .replace(/^#app\//, 'app/')
    .replace(/\.js$/, '')
}
