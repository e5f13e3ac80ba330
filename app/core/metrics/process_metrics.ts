import { Counter, Gauge, collectDefaultMetrics } from 'prom-client'
import db from '@adonisjs/lucid/services/db'
import { requestGate } from '#core/http/request_gate'
import { PREFIX, registry } from '#core/metrics/registry'

/** What knex's pool says of itself. */
interface Pool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
}

collectDefaultMetrics({ register: registry })

new Gauge({
  name: `${PREFIX}http_requests_in_flight`,
  help: 'Requests being answered, by class',
  labelNames: ['class'],
  registers: [registry],
  collect() {
    for (const { name, inFlight } of requestGate.usage()) this.set({ class: name }, inFlight)
  },
})

new Counter({
  name: `${PREFIX}http_refused_total`,
  help: 'Requests refused because their class had no place left',
  labelNames: ['class'],
  registers: [registry],
  collect() {
    this.reset()
    for (const { name, refused } of requestGate.usage()) this.inc({ class: name }, refused)
  },
})

new Gauge({
  name: `${PREFIX}database_connections`,
  help: 'Connections of the database pool, and requests that wait for one',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    const pool = db.manager.get(db.primaryConnectionName)?.connection?.pool as Pool | undefined
    this.set({ state: 'used' }, pool?.numUsed() ?? 0)
    this.set({ state: 'free' }, pool?.numFree() ?? 0)
    this.set({ state: 'waiting' }, pool?.numPendingAcquires() ?? 0)
  },
})
