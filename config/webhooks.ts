/** Outgoing webhooks (webhooks.md). */
export default {
  maxPerApplication: 20,
  /** Events of one webhook that wait. Beyond that the oldest are dropped. */
  maxWaiting: 10_000,
  /** How often to look for webhooks with more. */
  trimIntervalMs: 10_000,

  /** Of one attempt, the response included. */
  timeoutMs: 15_000,
  /** How long an attempt waits for its turn before it is made later. */
  turnMs: 5_000,
  /** Longer than the wait, an attempt and the recording of its result. */
  leaseMs: 45_000,
  /** Pauses grow by the factor, up to the longest. */
  firstPauseMs: 10_000,
  pauseFactor: 3,
  longestPauseMs: 21_600_000,
  /** Afterwards a delivery fails, and a webhook that had no success meanwhile is disabled. */
  retryHours: 72,
  /** How much later its failures may have begun, because the first attempt was slow. */
  disableToleranceMs: 3_600_000,
  /** How long the previous secret also signs. */
  overlapHours: 24,

  /** Attempts at a time in this process: in all, for each application, and for each webhook. */
  parallel: 200,
  perApplication: 50,
  perWebhook: 10,
  /** Of these, attempts at webhooks whose last attempt failed or was slow: in all, and for each. */
  parallelStruggling: 100,
  perStrugglingWebhook: 1,
  /** An attempt that takes longer is slow. */
  slowMs: 5_000,
  /** How long a webhook counts as slow if there is no other attempt. */
  slowForMs: 60_000,
  /** How long this process leaves a webhook alone after a failure. */
  holdMs: 5_000,
  /** How long a process may take to notice that other processes changed a webhook. */
  subscriptionsTtlMs: 1_000,
  /** Changes that become events at a time. */
  relayBatch: 100,
  /** How many events end a batch early, because a change can have many. */
  relayEvents: 2_000,
  /** How long someone whose access changed still belongs to the application. */
  formerMemberMs: 60_000,
  /** How often the time of the last success is written. */
  successIntervalMs: 60_000,
}
