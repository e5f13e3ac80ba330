import env from '#start/env'

/** Retries of single sends: those that set `retryHours`, or all of them. */
export default {
  retryHours: env.get('SEND_RETRY_HOURS') ?? 0,

  /**
   * How long a round lasts, even after the request was answered, so that a mail that the server is
   * about to accept is neither cut off nor sent twice.
   */
  roundMs: 40_000,
  /** How long a claim lasts: longer than a round and the recording of its result. */
  leaseMs: 55_000,
  /** How often a send is claimed without a recorded round, before it is what ends the processes. */
  maxClaims: 3,
  /**
   * The pause after the first round, which doubles with each further one, and the longest pause.
   */
  firstPauseMs: 15_000,
  longestPauseMs: 1_800_000,
  /** How late the last round may start, for example after a restart. */
  toleranceMs: 60_000,

  /**
   * How many rounds run in a process at a time, and how many sends of an account one claim takes.
   */
  parallel: 200,
  perAccount: 10,
  /** How many due sends a claim reads to find some of different accounts. */
  candidates: 200,
  /** How long this process pauses an account whose server accepted nothing. */
  holdMs: 15_000,
}
