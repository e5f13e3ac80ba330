import { OutboundError } from '#core/network/outbound_error'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import { parseReply, refusalKind } from '#app/suppressions/values/refusal_kind'

// These texts do not reveal the address of the server.
const CONNECTION_FAILURES: Record<string, string> = {
  ECONNREFUSED: 'the server refused the connection',
  ETIMEDOUT: 'the server did not respond in time',
  ENOTFOUND: 'the name of the server could not be resolved',
  EAI_AGAIN: 'the name of the server could not be resolved',
  ETLS: 'no secure connection could be made',
  EAUTH: 'the server refused the account',
}

export interface SmtpFailure {
  /** See delivery.md#temporary-mail-failures */
  transient: boolean
  /** Null if the server did not reply */
  code: number | null
  text: string
  /** What the refusal of the recipient says about the mailbox; null for any other failure */
  bounce: Exclude<BounceKind, 'complaint'> | null
}

/** Uses the reply of the server, except to a login, because that may repeat the password. */
export function smtpFailure(error: unknown): SmtpFailure {
  if (error instanceof OutboundError) {
    return {
      transient: false,
      code: null,
      text: 'the address of the server is not allowed',
      bounce: null,
    }
  }
  const { responseCode, response, code, cause, command } = detailsOf(error)
  // Always temporary, so that an attacker on the network cannot make a mail fail permanently.
  if (code === 'ETLS')
    return { transient: true, code: null, text: CONNECTION_FAILURES.ETLS, bounce: null }
  if (responseCode !== undefined && code === 'EAUTH') {
    const text = `${responseCode} ${CONNECTION_FAILURES.EAUTH}`
    return { transient: responseCode < 500, code: responseCode, text, bounce: null }
  }
  if (responseCode !== undefined) {
    const text = response ?? String(responseCode)
    const transient = responseCode < 500
    const isAboutRecipient = !transient && command === 'RCPT TO'
    const bounce = isAboutRecipient ? refusalKind(parseReply(text)) : null
    return { transient, code: responseCode, text, bounce }
  }
  if (code === 'EMESSAGE' || code === 'EENVELOPE') {
    return {
      transient: false,
      code: null,
      text: 'the server does not accept this mail',
      bounce: null,
    }
  }
  const known = CONNECTION_FAILURES[cause ?? ''] ?? CONNECTION_FAILURES[code ?? '']
  return {
    transient: code !== 'EAUTH',
    code: null,
    text: known ?? 'the connection was lost',
    bounce: null,
  }
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
