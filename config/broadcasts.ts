import env from '#start/env'

const leaseMs = (env.get('BROADCAST_LEASE') ?? 30) * 1_000

/** How broadcasts are worked on. */
export default {
  /**
   * How long a claimed recipient belongs to the process that claimed it; then another one takes over. Mails are begun in
   * its first third and given up before it ends, so that no two processes are at the same mail.
   */
  leaseMs,
  beginWithinMs: leaseMs / 3,
  mailBudgetMs: leaseMs / 2,

  /** How many recipients one claim takes, and how many messages are under way at a time. */
  claim: 100,
  parallel: 20,
  /** How long outcomes are gathered before they are written down together. */
  gatherMs: 20,
  /** Rows of an audience that are written at a time, and between which others may write. */
  chunk: { sqlite: 500, pg: 5_000 },

  /** Recipients that were claimed this often by a process that never came back have failed. */
  maxClaims: 5,
  /** Waits before the next tries of a mail that was not taken for a reason that may pass; then it has failed. */
  retryAfterMs: [5_000, 30_000, 120_000, 600_000, 1_800_000],
  /** How many failures in a row, for reasons that may pass, make a broadcast wait, and how long. */
  holdAfter: 10,
  holdMs: 5_000,

  /** How often a working process looks whether the broadcast was paused or cancelled. */
  watchMs: 250,
  /** How often those who follow a broadcast hear what is new, or that there is nothing, and for how long at a time. */
  streamMs: 500,
  heartbeatMs: 15_000,
  streamLifeMs: 600_000,
  /** How often it is asked whether they still may. */
  streamAskMs: 2_000,
}
