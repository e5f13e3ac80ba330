import { PreparationPool } from '#app/notifications/preparation/preparation_pool'

export const preparation = new PreparationPool({
  threads: 2,
  maxWaiting: 64,
  maxWaitingPerAuthor: 16,
  limits: { computeMs: 1_000, elapsedMs: 5_000, memoryMiB: 64 },
})
