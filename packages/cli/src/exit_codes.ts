/** What an exit code says; `docs/reference/commands.md` promises it. */
export const EXIT = {
  done: 0,
  /** The service refused (4xx), or what was named is not there. */
  refused: 1,
  /** It was asked and the answer is no: a denied check, a message that was not sent, a broadcast that ended early. */
  no: 2,
  /** The service could not be reached, or could not answer (5xx). */
  unreachable: 3,
  /** Asked in a way that cannot work: arguments, files, settings. */
  usage: 64,
  interrupted: 130,
} as const
