import { SmtpTimeout, UnconfirmedMail } from '#app/delivery/mail/smtp_connection'
import { OutboundError } from '#core/network/outbound_error'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import { parseReply, refusalKind } from '#app/suppressions/values/refusal_kind'

/** What kept a mail from being sent. */
export type SmtpFailureReason =
  | 'address_not_allowed'
  | 'connection_lost'
  | 'connection_refused'
  | 'login_refused'
  | 'mail_not_accepted'
  | 'refused'
  | 'tls_failed'
  | 'timeout'
  | 'unknown_host'

type Known = Pick<SmtpFailure, 'reason' | 'text'>

// These texts do not reveal the address of the server.
const NOT_ALLOWED: Known = {
  reason: 'address_not_allowed',
  text: 'the address of the server is not allowed',
}
const NOT_ACCEPTED: Known = {
  reason: 'mail_not_accepted',
  text: 'the server does not accept this mail',
}
const LOST: Known = { reason: 'connection_lost', text: 'the connection was lost' }
const UNKNOWN_HOST: Known = {
  reason: 'unknown_host',
  text: 'the name of the server could not be resolved',
}
const NO_TLS: Known = { reason: 'tls_failed', text: 'no secure connection could be made' }
const LOGIN_REFUSED: Known = {
  reason: 'login_refused',
  text: 'the server refused the account',
}
const CONNECTION_FAILURES: Record<string, Known> = {
  ECONNREFUSED: {
    reason: 'connection_refused',
    text: 'the server refused the connection',
  },
  ETIMEDOUT: { reason: 'timeout', text: 'the server did not respond in time' },
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ETLS: NO_TLS,
  EAUTH: LOGIN_REFUSED,
}

export interface SmtpFailure {
  reason: SmtpFailureReason
  /** See delivery.md#temporary-mail-failures */
  transient: boolean
  /** Null if the server did not reply */
  code: number | null
  text: string
  /** What the refusal of the recipient says about the mailbox; null for any other failure */
  bounce: Exclude<BounceKind, 'complaint'> | null
  /** Whether the server may have accepted the mail */
  isUnconfirmed?: boolean
}

/** Uses the reply of the server, except to a login, because that may repeat the password. */
export function smtpFailure(error: unknown): SmtpFailure {
  const noReply = { code: null, bounce: null }
  if (error instanceof UnconfirmedMail) {
    const failure = smtpFailure(error.cause)
    const text = `${failure.text}; the server may have accepted the mail`
    return { ...failure, text, isUnconfirmed: true }
  }
  if (error instanceof SmtpTimeout) {
    return { reason: 'timeout', text: error.message, ...noReply, transient: true }
  }
  if (error instanceof OutboundError) return { ...NOT_ALLOWED, ...noReply, transient: false }
  const { responseCode, response, code, cause, command } = detailsOf(error)
  // Always temporary, so that an attacker on the network cannot make a mail fail permanently.
  if (code === 'ETLS') return { ...NO_TLS, ...noReply, transient: true }
  if (responseCode !== undefined && code === 'EAUTH') {
    const { reason } = LOGIN_REFUSED
    const text = `${responseCode} ${LOGIN_REFUSED.text}`
    return { reason, transient: responseCode < 500, code: responseCode, text, bounce: null }
  }
  if (responseCode !== undefined) {
    const text = response ?? String(responseCode)
    const transient = responseCode < 500
    const isAboutRecipient = !transient && command === 'RCPT TO'
    const bounce = isAboutRecipient ? refusalKind(parseReply(text)) : null
    return { reason: 'refused', transient, code: responseCode, text, bounce }
  }
  if (code === 'EMESSAGE' || code === 'EENVELOPE') {
    return { ...NOT_ACCEPTED, ...noReply, transient: false }
  }
  const known = CONNECTION_FAILURES[cause ?? ''] ?? CONNECTION_FAILURES[code ?? ''] ?? LOST
  return { ...known, ...noReply, transient: code !== 'EAUTH' }
}

function detailsOf(error: unknown) {
  if (!(error instanceof Error)) return {}
  const read = (name: string): unknown => Reflect.get(error, name)
  const responseCode = read('responseCode')
  const response = read('response')
  return {
    responseCode:
      typeof responseCode === 'number' && responseCode >= 400 ? responseCode : undefined,
    response: typeof response === 'string' ? response : undefined,
    code: String(read('code') ?? ''),
    command: read('command'),
    cause: causeIn(error.message),
  }
}

/** nodemailer gives most connection failures the same code. */
function causeIn(message: string) {
  if (message.includes('ECONNREFUSED')) return 'ECONNREFUSED'
  return /certificate|SSL|TLS/i.test(message) ? 'ETLS' : undefined
}
