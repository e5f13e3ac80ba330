import { normalizeEmail } from '#core/values/email'
import { parseFields } from '#app/bounces/reports/mime_part'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import { parseReply, refusalKind } from '#app/suppressions/values/refusal_kind'

/** What a delivery report says about one recipient. */
export interface RecipientReport {
  /** Canonical addresses: the final and the original one, if they are given */
  recipients: string[]
  kind: Exclude<BounceKind, 'complaint'>
  text: string | null
}

const MAX_RECIPIENTS = 100

/**
 * Reads the failures in a `message/delivery-status` (RFC 3464). Delays, relays and deliveries are
 * left out: the mail may have arrived.
 */
export function parseDeliveryReport(body: string): RecipientReport[] {
  const groups = body.split(/\r?\n[ \t]*\r?\n/, MAX_RECIPIENTS + 1)
  return groups.flatMap((group) => {
    const fields = parseFields(group.trimStart())
    const report = failureIn(fields)
    return report === null ? [] : [report]
  })
}

function failureIn(fields: Map<string, string>): RecipientReport | null {
  const [action] = /^\w+/.exec(fields.get('action') ?? '') ?? []
  if (action?.toLowerCase() !== 'failed') return null
  const recipients = [
    addressIn(fields.get('final-recipient')),
    addressIn(fields.get('original-recipient'), true),
  ].filter((address) => address !== null)
  const [status = null] = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '') ?? []
  const diagnostic = decodeUtf8(fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '')
  return {
    recipients,
    kind: kindOf(status, diagnostic),
    text: [diagnostic, status].find((text) => text) ?? null,
  }
}

/** See suppressions.md#hard-or-soft. */
function kindOf(status: string | null, diagnostic: string) {
  const reply = parseReply(diagnostic)
  const digit = status?.[0] ?? String(reply.code ?? '')[0]
  if (digit !== '5') return 'soft'
  // Exim reports every failure as 5.0.0.
  const isVague = status === null || status === '5.0.0'
  if (isVague && diagnostic === '') return 'hard'
  return refusalKind({ ...reply, status: isVague ? reply.status : status }) ?? 'soft'
}

/** @param isEncoded whether the address is xtext (RFC 3461): `+2B` is a plus sign */
function addressIn(field: string | undefined, isEncoded = false): string | null {
  if (field === undefined) return null
  const end = field.indexOf(';')
  const type = field.slice(0, Math.max(0, end)).trim().toLowerCase()
  if (type !== 'rfc822' && type !== 'utf-8') return null
  const address = withoutBrackets(decodeUtf8(field.slice(end + 1).trim()))
  return normalizeEmail(isEncoded ? decodeXtext(address) : address)
}

const withoutBrackets = (text: string) =>
  text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text

const decodeUtf8 = (text: string) => Buffer.from(text, 'latin1').toString()

const decodeXtext = (text: string) =>
  text.replaceAll(/\+([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
