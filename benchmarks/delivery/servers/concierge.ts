import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { serve } from '#core/process/serve'
import { ready } from '../../world/servers/ready.ts'
import { requestsFrom } from '../requests.ts'

/** This service with a template to send, and able to run parts of a send alone. */

export type Order =
  { kind: 'compose'; count: number } | { kind: 'prepare'; count: number; repeats: number }

await serve()

// These need the application that has started by now.
const { default: server } = await import('@adonisjs/core/services/server')
const { makeScene } = await import('../scene.ts')
const { composeAll, costOfPreparing } = await import('../rendering.ts')

await makeScene()
process.on('message', async (order: Order) => {
  const requests = requestsFrom(0, order.count)
  if (order.kind === 'compose') {
    process.send!({ kind: 'composed', mails: await composeAll(requests) })
  } else {
    const cost = await costOfPreparing(requests, order.repeats)
    process.send!({ kind: 'prepared', cost })
  }
})
ready((server.getNodeServer()!.address() as AddressInfo).port)
