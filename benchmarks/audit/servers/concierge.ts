import 'reflect-metadata'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { ready } from '../../world/servers/ready.ts'

/** The service, or with `WITHOUT_AUDIT` one in which nothing is recorded. */
if (process.env.WITHOUT_AUDIT) {
  const nothing = new URL('record_nothing.ts', import.meta.url).href
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isRecorder = /\/core\/audit\/record_change\.[jt]s$/.test(found.url)
      return isRecorder ? { ...found, url: nothing } : found
    },
  })
}

const { serve } = await import('#core/process/serve')
await serve(() => {})
const { default: server } = await import('@adonisjs/core/services/server')
ready((server.getNodeServer()!.address() as AddressInfo).port)
