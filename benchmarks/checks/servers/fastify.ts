import fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import type { SingleCheck } from '../apis.ts'
import { Workload } from '../../world/workload.ts'
import { createCasbin } from './engines/casbin.ts'
import { createCasl } from './engines/casl.ts'
import { createCedar } from './engines/cedar.ts'
import type { Engine } from './engines/engine.ts'
import { ready } from '../../world/servers/ready.ts'

/** Plain Fastify: a route without any work, and one for each library that decides in memory. */
const workload = new Workload(Number(process.env.WORKLOAD_USERS))
const engines: Record<string, Engine> = {
  casbin: await createCasbin(workload),
  casl: createCasl(workload),
  cedar: createCedar(workload),
}

const app = fastify()
app.post('/api/bare', () => ({ data: { allowed: true } }))
for (const [name, decide] of Object.entries(engines)) {
  app.post<{ Body: SingleCheck }>(`/${name}`, async ({ body }) => ({
    data: { allowed: await decide(body) },
  }))
}
await app.listen({ host: '127.0.0.1', port: 0 })
ready((app.server.address() as AddressInfo).port)
