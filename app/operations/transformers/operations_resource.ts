import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { Operations } from '#app/operations/actions/read_operations'
import type { Reachability } from '#app/operations/actions/read_reachability'
import type ProcessReport from '#app/operations/models/process_report'
import type { Queue } from '#app/operations/queries/queues'
import type { MinuteSummary } from '#app/operations/values/latency'
import operationsConfig from '#config/operations'

/** See platform.md#operations. */
export function operationsResource(operations: Operations) {
  const { checkedAt, version, database, processes, identityProvider, keys } = operations
  const caches = processes.map(({ state }) => state.cache)
  const hits = caches.reduce((sum, cache) => sum + cache.hits, 0)
  const misses = caches.reduce((sum, cache) => sum + cache.misses, 0)
  return {
    checkedAt: isoTimestamp(checkedAt),
    /** Version of the process that responds */
    version,
    database,
    /** Processes on all machines that reported within the last hour and have not stopped */
    processes: processes.map((report) => processResource(report, checkedAt)),
    queues: operations.queues.map(queueResource),
    /** The mail server of the platform */
    smtp: reachabilityResource(operations.smtp),
    identityProvider: {
      ...reachabilityResource(identityProvider),
      /** The last call of the e-mail hook with a valid signature */
      lastHookCallAt: isoTimestamp(identityProvider.lastHookCallAt),
    },
    keys: {
      /** When the signing key of the identity provider was stored */
      providerSigningKeyAt: isoTimestamp(keys.providerSigningKeyAt),
      applicationKeys: keys.applicationKeys,
      oldestApplicationKeyAt: isoTimestamp(keys.oldestApplicationKeyAt),
    },
    /** The decision caches of all processes, since each of them started */
    cache: { hits, misses, hitRate: hitRateOf(hits, misses) },
    /** The last 60 minutes, oldest first; the last one is incomplete */
    requests: operations.hour.map(minuteResource),
  }
}

function processResource(report: ProcessReport, now: DateTime) {
  const { state, seenAt } = report
  const isLost = now.diff(seenAt).toMillis() > operationsConfig.lostAfterMs
  return {
    id: report.processId,
    host: report.host,
    pid: report.pid,
    /** `queue` for `queue:work` */
    kind: report.kind,
    version: report.version,
    /** `lost` if it has not reported for 35 seconds: it was killed, or cannot reach the database */
    state: isLost ? ('lost' as const) : ('running' as const),
    startedAt: isoTimestamp(report.startedAt),
    seenAt: isoTimestamp(seenAt),
    memoryBytes: state.memoryBytes,
    cache: { ...state.cache, hitRate: hitRateOf(state.cache.hits, state.cache.misses) },
    /**
     * When it last read the identity provider's keys for tokens; null if it has verified no token
     */
    tokenKeysReadAt: state.tokenKeysReadAt ?? null,
  }
}

function queueResource({ name, waiting, oldestAt }: Queue) {
  return {
    name,
    waiting,
    /** When the oldest item started to wait */
    oldestAt: isoTimestamp(oldestAt),
  }
}

function reachabilityResource({ status, checkedAt, error }: Reachability) {
  return { status, checkedAt: isoTimestamp(checkedAt), error }
}

function minuteResource({ minute, requests, failed, checks, p50, p95, p99 }: MinuteSummary) {
  return {
    minute: isoTimestamp(DateTime.fromMillis(minute * 60_000)),
    requests,
    /** Responses with a status of 500 or above */
    failed,
    /** Permissions that were checked */
    checks,
    /** Durations in milliseconds, estimated from a histogram; null without requests */
    p50,
    p95,
    p99,
  }
}

/** From 0 to 1; null if nothing was looked up. */
function hitRateOf(hits: number, misses: number): number | null {
  const total = hits + misses
  return total === 0 ? null : Math.round((hits / total) * 10_000) / 10_000
}
