import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { serve } from '#core/process/serve'
import { ready } from './ready.ts'

/** This service, with one more route that measures the middleware of the check routes alone. */
await serve((app) =>
  app.starting(async () => {
    const { default: router } = await import('@adonisjs/core/services/router')
    const { middleware } = await import('#start/kernel')
    const { throttle } = await import('#start/limiter')
    router
      .post('/api/bare', () => ({ data: { allowed: true } }))
      .use([middleware.privateNetwork(), throttle.check, middleware.json()])
  })
)

// These need the application that has started by now.
const { default: server } = await import('@adonisjs/core/services/server')
const { countQueriesOnRequest } = await import('./count_queries.ts')
countQueriesOnRequest()
ready((server.getNodeServer()!.address() as AddressInfo).port)
