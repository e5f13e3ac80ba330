import type { BounceKind } from '#app/suppressions/values/bounce_kind'

export interface Refusal {
  /** The reply code; null if it is unknown */
  code: number | null
  /** The enhanced status code (RFC 3463); null if it is unknown */
  status: string | null
  text: string
}

const MISSING_MAILBOX = new Set(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])
const DISABLED_MAILBOX = '5.2.1'
const UNKNOWN_HOST = '5.4.4'
/** Some servers use these texts instead of 5.1.1. */
const NO_ANSWER = '5.4.1'
const SAYS_NOTHING = /^\d\.0\.0$/

/** The refusal is about us or our mail, not the mailbox. */
const ABOUT_SENDER =
  /relay|spam|block|blacklist|denied|policy|reputation|authenticat|sender|content|virus|limit/i

/**
 * What the permanent refusal of a recipient says about the mailbox (suppressions.md#hard-or-soft):
 * `hard` that it does not exist, `soft` that it takes no mail now. Null if it is about something
 * else.
 */
export function refusalKind({
  code,
  status,
  text,
}: Refusal): Exclude<BounceKind, 'complaint'> | null {
  if (status !== null && !SAYS_NOTHING.test(status)) return kindOfStatus(status, text)
  if (code === 552) return 'soft'
  if (code === 556) return 'hard'
  const isAboutMailbox = code === 550 || code === 551 || code === 553
  return isAboutMailbox && !ABOUT_SENDER.test(text) ? 'hard' : null
}

function kindOfStatus(status: string, text: string) {
  if (MISSING_MAILBOX.has(status)) return /sender/i.test(text) ? null : 'hard'
  if (status === DISABLED_MAILBOX || status === UNKNOWN_HOST) return 'hard'
  if (status === NO_ANSWER) return /recipient address rejected/i.test(text) ? 'hard' : null
  return status.startsWith('5.2.') ? 'soft' : null
}

/** Reads a reply such as `550 5.1.1 No such user`. */
export function parseReply(text: string): Refusal {
  const [, code, status] =
    /^([245]\d\d)?[ -]?([245]\.\d{1,3}\.\d{1,3})?(?=[\s:]|$)/.exec(text) ?? []
  return { code: code === undefined ? null : Number(code), status: status ?? null, text }
}
