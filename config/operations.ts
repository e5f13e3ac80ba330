import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** How processes report what they do. */
export default {
  version,
  reportMs: 10_000,
  /** A process that has not reported for longer counts as lost. */
  lostAfterMs: 35_000,
  /** Reports are kept for longer than the hour that is shown. */
  keptMinutes: 65,
  maxReports: 500,
  /** How far back the activity goes. Counted checks are kept as long. */
  activityDays: 90,
  /** How long the result of a connection to the mail server is cached. */
  smtpCheckMs: 30_000,
}
