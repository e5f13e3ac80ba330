import env from '#start/env'

/** Durable and scheduled sends. */
export default {
  retryHours: env.get('SEND_RETRY_HOURS') ?? 0,

  /**
   * Even after the response was sent, so that a mail being accepted is not cut off or sent twice.
   */
  roundMs: 40_000,
  /** The furthest `sendAt`, and how long quiet hours can postpone a message. */
  maxAheadDays: 90,
  maxQuietDays: 7,

  /** Longer than a round and the recording of its result. */
  leaseMs: 55_000,
  /** Claims without a recorded round, after which the send is assumed to crash processes. */
  maxClaims: 3,
  /** The pause doubles with each round. */
  firstPauseMs: 15_000,
  longestPauseMs: 1_800_000,
  /**
   * A server may have accepted a mail without saying so at most this often. From the second time
   * on, the pause is longer, and doubles.
   */
  maxUnconfirmed: 5,
  unconfirmedPauseMs: 600_000,
  /** How late the last round may start, for example after a restart. */
  toleranceMs: 60_000,

  /** Requests with a `sendAt` that are rendered at a time: in all, and for one recipient. */
  requests: 100,
  requestsPerRecipient: 10,
  /** Claims without a result, after which a request is assumed to crash processes. */
  maxRequestClaims: 5,
  /** Digests that are rendered at a time. */
  digests: 100,
  /** Messages of one digest, and how many of them the mail shows. Others go into another. */
  digestSize: 1_000,
  digestShown: 50,
  /** What the log has of the messages of one digest. */
  digestBytes: 16_777_216,
  /**
   * Longer than for most messages: no request waits for it, and a digest stands for many of them.
   */
  digestRetryHours: 24,
  /**
   * Rounds at a time in this process: in all, with each mail account, for each application, and for
   * each application with one account.
   */
  parallel: 200,
  perAccount: 100,
  perApplication: 50,
  perApplicationAccount: 10,
  /** The same for an application and account for some time after a slow round. */
  perSlowAccount: 2,
  slowRoundMs: 10_000,
  slowForMs: 60_000,
  /**
   * The same for a recipient of an application. One with a round that took a while or failed gets a
   * single one for some time, after all others of the application.
   */
  perRecipient: 5,
  difficultRoundMs: 1_000,
  difficultForMs: 60_000,
  /** How many of the oldest due sends of an application a claim reads, and of a later part. */
  examined: 10_000,
  /**
   * How long this process pauses an account for an application after rounds of several recipients
   * failed and none succeeded.
   */
  holdMs: 15_000,
  failingRecipients: 3,
  /** Single sends that are recorded together. */
  mostTogether: 20,
}
