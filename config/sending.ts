import env from '#start/env'

/** The longest a single send is tried again. */
export const MAX_RETRY_HOURS = 72

function retryHours() {
  const hours = env.get('SEND_RETRY_HOURS') ?? 0
  if (Number.isInteger(hours) && hours >= 0 && hours <= MAX_RETRY_HOURS) return hours
  throw new Error(`SEND_RETRY_HOURS must be a whole number from 0 to ${MAX_RETRY_HOURS}`)
}

/** How single sends are tried again that ask for it (`retryHours`), or that all do. */
export default {
  retryHours: retryHours(),

  /**
   * How long one round goes on, also after the request was answered: a mail that the server is about
   * to take is neither cut off nor sent twice.
   */
  roundMs: 40_000,
  /** A send that somebody works on is left alone for so long: longer than a round with its record takes. */
  leaseMs: 55_000,
  /** The pause after the first round, doubled with each further one, and the longest. */
  firstPauseMs: 15_000,
  longestPauseMs: 1_800_000,
  /** How late the last round may begin, such as after a restart. */
  toleranceMs: 60_000,

  /** How many rounds one process has under way at a time, and how many one claim takes of an account. */
  parallel: 200,
  perAccount: 10,
  /** How many due sends a claim looks at to find those of different accounts. */
  candidates: 200,
  /** How long an account rests in this process of which nothing was taken. */
  holdMs: 15_000,
}
