/** Documented in `docs/reference/commands.md`. */
export const EXIT = {
  success: 0,
  /** The service refused the request (4xx), or something was not found. */
  refused: 1,
  /** A negative result: a denied check, a message not sent, a broadcast that ended early. */
  negative: 2,
  /** The service could not be reached or failed (5xx). */
  unreachable: 3,
  /** Invalid arguments, files or settings. */
  usage: 64,
  interrupted: 130,
} as const
