import router from '@adonisjs/core/services/router'
import type { ParsedNamedMiddleware } from '@adonisjs/core/types/http'
import type { SourceCode } from '#development/openapi/source_code'

/** A named middleware with its argument, such as a panel level. */
export interface Guard {
  name: string
  module: string
  argument: unknown
}

export interface ServedRoute {
  method: string
  /** In the router's notation: `/api/applications/:appCode`. */
  pattern: string
  /** In OpenAPI's notation: `/api/applications/{appCode}`. */
  path: string
  name: string
  controller: { module: string; method: string }
  guards: Guard[]
}

type RouterRoute = ReturnType<typeof router.toJSON>[string][number]

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

/** What the description calls the wildcard `*`. */
export const REST_OF_PATH = 'path'

const shapeOf = (pattern: string) => pattern.replaceAll(/:\w+/g, ':')

/**
 * Patterns that differ only in a parameter's name are one path with both names:
 * `/templates/{appCodeOrId}`.
 */
function pathOf(pattern: string, patterns: string[]): string {
  const alike = patterns.filter((other) => shapeOf(other) === shapeOf(pattern)).sort()
  const names = alike.map((other) => [...other.matchAll(/:(\w+)/g)].map(([, name]) => name))
  let index = 0
  return pattern.replace('*', `{${REST_OF_PATH}}`).replaceAll(/:\w+/g, () => {
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
 * A handler is `[controller, 'method']`. A function is resolved by its route's name,
 * `<group>.<controller>.<method>`.
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
    `The controller of ${pattern} is unknown. Use [Controller, 'method'] as the handler, or a route name that ends in .<controller>.<method>`
  )
}

/** `app/…` without the extension, from `() => import('…')`. */
function moduleIn(importer: string): string {
  const path = /import\(\s*['"]([^'"]+)['"]/.exec(importer)?.[1] ?? importer
  return path
    .replace(/^#core\//, 'app/core/')
    .replace(/^#app\//, 'app/')
    .replace(/\.js$/, '')
}
