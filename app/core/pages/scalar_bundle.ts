import type { FastifyInstance, RouteOptions } from 'fastify'

let bundle: Promise<string> | undefined

/**
 * Scalar's script for browsers. The package keeps it inside a plugin for Fastify, so that is asked to register its routes
 * with something that only remembers them. Loaded when somebody first asks for it: it is large.
 */
export function scalarBundle(): Promise<string> {
  return (bundle ??= takeFromPlugin())
}

async function takeFromPlugin(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const routes: RouteOptions[] = []
  const host = { hasPlugin: () => false, route: (route: RouteOptions) => routes.push(route) }
  const options = { routePrefix: '/docs' as const, configuration: { url: '/api/openapi.json' } }
  await new Promise<void>((resolve) =>
    plugin(host as unknown as FastifyInstance, options, () => resolve())
  )
  const script = routes.find(({ url }) => url.endsWith('.js'))
  return new Promise((resolve) => {
    const reply = { header: () => reply, send: resolve }
    script?.handler.call(host as never, {} as never, reply as never)
  })
}
