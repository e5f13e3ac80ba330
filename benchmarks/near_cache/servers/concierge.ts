import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { serve } from '#core/process/serve'
import { ready } from '../../world/servers/ready.ts'

/** This service. It changes access when the benchmark says so: another user's, each time. */
await serve()

const { default: server } = await import('@adonisjs/core/services/server')
const { accessTransaction } = await import('#core/database/access_transaction')
let changes = 0
process.on('message', (message: { kind?: string }) => {
  if (message.kind !== 'change') return
  const email = `changed-${changes++}@acme.example`
  void accessTransaction(async (_, changed) => changed({ email, application: 'app-0' }))
})
ready((server.getNodeServer()!.address() as AddressInfo).port)
