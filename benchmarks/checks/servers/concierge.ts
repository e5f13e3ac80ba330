import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import type { AddressInfo } from 'node:net'
import { APP_ROOT, importFromRoot } from '#start/root'
import { ready } from './ready.ts'

/**
 * This service as `bin/server.ts` starts it, with one more route: what the stack of the check routes costs by itself.
 */
await new Ignitor(APP_ROOT, { importer: importFromRoot })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    app.starting(async () => {
      const { default: router } = await import('@adonisjs/core/services/router')
      const { middleware } = await import('#start/kernel')
      const { throttle } = await import('#start/limiter')
      router
        .post('/api/bare', () => ({ data: { allowed: true } }))
        .use([middleware.privateNetwork(), throttle.check, middleware.json()])
    })
  })
  .httpServer()
  .start()

// These need the application that has started by now.
const { default: server } = await import('@adonisjs/core/services/server')
const { countQueriesOnRequest } = await import('./count_queries.ts')
countQueriesOnRequest()
ready((server.getNodeServer()!.address() as AddressInfo).port)
