import env from '#start/env'

const [selection, share] = env.get('DECISION_LOG', 'off').split(':')

export default {
  selection: selection as 'off' | 'denied' | 'sample' | 'all',
  /** Of all decisions, if some are selected by chance. */
  share: Number(share ?? 1),
  /** A file, or `stdout`. */
  target: env.get('DECISION_LOG_TARGET', 'stdout'),
  masksEmail: env.get('DECISION_LOG_MASK') === 'email',
}
