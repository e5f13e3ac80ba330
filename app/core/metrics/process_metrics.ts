import { Counter, Gauge, collectDefaultMetrics } from 'prom-client'
import { waitingFor } from '#core/database/share_connections'
import { replicaReads } from '#core/database/servers/replica'
import db from '@adonisjs/lucid/services/db'
import { Connection } from '#core/http/connection'
import { placeUsage } from '#core/http/place'
import { unreadResponses } from '#core/http/unread_responses'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'

interface Pool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
}

collectDefaultMetrics({ register: registry })

new Gauge({
  name: `${METRIC_PREFIX}http_requests_in_flight`,
  help: 'Requests in progress, by class',
  labelNames: ['class'],
  registers: [registry],
  collect() {
    for (const { name, inFlight } of placeUsage()) this.set({ class: name }, inFlight)
  },
})

new Gauge({
  name: `${METRIC_PREFIX}http_requests_arriving`,
  help: 'Requests being authenticated or still sending their body, by class',
  labelNames: ['class'],
  registers: [registry],
  collect() {
    for (const { name, arriving } of placeUsage()) this.set({ class: name }, arriving)
  },
})

new Counter({
  name: `${METRIC_PREFIX}http_refused_total`,
  help: 'Requests refused because their class was full or their caller had reached its share',
  labelNames: ['class', 'reason'],
  registers: [registry],
  collect() {
    this.reset()
    for (const { name, refused } of placeUsage()) {
      this.inc({ class: name, reason: 'full' }, refused.full)
      this.inc({ class: name, reason: 'caller' }, refused.caller)
    }
  },
})

new Gauge({
  name: `${METRIC_PREFIX}http_connections`,
  help: 'Open connections',
  registers: [registry],
  collect() {
    this.set(Connection.count)
  },
})

new Counter({
  name: `${METRIC_PREFIX}http_unread_closed_total`,
  help: 'Connections closed because their responses were read too slowly, or to free memory',
  labelNames: ['reason'],
  registers: [registry],
  collect() {
    this.reset()
    for (const [reason, count] of Object.entries(unreadResponses.closed))
      this.inc({ reason }, count)
  },
})

new Gauge({
  name: `${METRIC_PREFIX}database_connections`,
  help: 'Connections of the database pool, and requests that wait for one',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    const pool = db.manager.get(db.primaryConnectionName)?.connection?.pool as Pool | undefined
    this.set({ state: 'used' }, pool?.numUsed() ?? 0)
    this.set({ state: 'free' }, pool?.numFree() ?? 0)
    const waiting = pool ? pool.numPendingAcquires() + waitingFor(pool) : 0
    this.set({ state: 'waiting' }, waiting)
  },
})

new Counter({
  name: `${METRIC_PREFIX}database_replica_reads_total`,
  help: 'Reads that the replica was asked for',
  labelNames: ['result'],
  registers: [registry],
  collect() {
    this.reset()
    for (const [result, count] of Object.entries(replicaReads)) this.inc({ result }, count)
  },
})
