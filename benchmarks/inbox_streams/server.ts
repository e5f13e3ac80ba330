import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serve } from '#core/process/serve'
import { ready } from '../world/servers/ready.ts'

/** This service with a template to send, and able to say what it holds in memory. */

await serve()

// These need the application that has started by now.
const { default: server } = await import('@adonisjs/core/services/server')
const { makeScene } = await import('../delivery/scene.ts')

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

await makeScene()
process.on('message', () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.send!({ kind: 'memory', bytes: heapUsed + external })
})
ready((server.getNodeServer()!.address() as AddressInfo).port)
