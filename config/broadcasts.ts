import env from '#start/env'

const leaseMs = (env.get('BROADCAST_LEASE') ?? 30) * 1_000

export default {
  /** Of an application, scheduled and paused ones included. */
  maxUnended: 1_000,
  /**
   * A claim lasts `leaseMs`, then another process takes over. Messages are rendered in its first
   * sixth. Mails start in its first third and time out before it ends, so that no two processes
   * send the same mail.
   */
  leaseMs,
  renderWithinMs: leaseMs / 6,
  beginWithinMs: leaseMs / 3,
  mailBudgetMs: leaseMs / 2,
  /** Until the next claim for a mail that waited in vain for a connection to its server. */
  postponedMs: 1_000,

  /** Recipients per claim, and messages sent at a time. */
  claimSize: 100,
  parallel: 20,
  /**
   * A batch that takes longer than `afterMs` does not delay those of other applications, unless a
   * process has too many of them or their messages take too much memory.
   */
  slow: { afterMs: 1_000, batches: 16, characters: 64 * 1_048_576 },
  /** How long results are collected before they are saved together. */
  collectMs: 20,
  /** Rows of an audience per transaction. Other writers get their turn in between. */
  chunk: { sqlite: 500, pg: 5_000 },

  /** Recipients fail after this many claims that did not finish. */
  maxClaims: 5,
  /** Pauses before retries after temporary failures. After the last one, the mail fails. */
  retryAfterMs: [5_000, 30_000, 120_000, 600_000, 1_800_000],
  /** The same if the server may have accepted the mail: each retry can be a copy. */
  retryUnconfirmedAfterMs: [5_000, 600_000, 1_800_000],
  /** After this many temporary failures in a row, the broadcast pauses. */
  holdAfterFailures: 10,
  holdMs: 5_000,

  /** How often a process checks whether the broadcast was paused or cancelled. */
  statusCheckMs: 250,
  /** Progress streams: interval of updates, interval of heartbeats, and longest duration. */
  streamMs: 500,
  heartbeatMs: 15_000,
  streamMaxMs: 600_000,
  /** How often a stream checks that the caller still has access. */
  streamAccessCheckMs: 2_000,
}
