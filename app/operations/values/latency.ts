import type { MinuteOfRequests } from '#core/metrics/last_hour'
import { BOUNDS } from '#core/metrics/request_durations'

export interface MinuteSummary {
  minute: number
  requests: number
  failed: number
  checks: number
  /** In milliseconds; null without requests */
  p50: number | null
  p95: number | null
  p99: number | null
}

/** Adds up the minutes of all processes. @param until The last of 60 minutes */
export function summariseHour(minutes: MinuteOfRequests[], until: number): MinuteSummary[] {
  const byMinute = Map.groupBy(minutes, ({ minute }) => minute)
  return Array.from({ length: 60 }, (_, index) => {
    const minute = until - 59 + index
    return summarise(minute, byMinute.get(minute) ?? [])
  })
}

function summarise(minute: number, shares: MinuteOfRequests[]): MinuteSummary {
  const counts = [...BOUNDS, Infinity].map((_, bucket) =>
    shares.reduce((sum, share) => sum + (share.counts[bucket] ?? 0), 0)
  )
  const requests = counts.reduce((sum, count) => sum + count, 0)
  const failed = shares.reduce((sum, share) => sum + share.failed, 0)
  const checks = shares.reduce((sum, share) => sum + (share.checks ?? 0), 0)
  const at = (quantile: number) => quantileOf(counts, requests, quantile)
  return { minute, requests, failed, checks, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** Interpolates within a bucket, as Prometheus does. Beyond the last bound it is that bound. */
function quantileOf(counts: number[], total: number, quantile: number): number | null {
  if (total === 0) return null
  const rank = quantile * total
  let before = 0
  for (const [bucket, bound] of BOUNDS.entries()) {
    const count = counts[bucket]
    if (count > 0 && before + count >= rank) {
      const lower = bucket === 0 ? 0 : BOUNDS[bucket - 1]
      return roundMs(lower + (bound - lower) * ((rank - before) / count))
    }
    before += count
  }
  return roundMs(BOUNDS.at(-1)!)
}

const roundMs = (seconds: number) => Math.round(seconds * 10_000) / 10
