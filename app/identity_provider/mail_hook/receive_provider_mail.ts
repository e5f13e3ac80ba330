import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { secrets } from '#core/secrets'
import type { Deadline } from '#core/values/deadline'
import { normalizeEmail } from '#core/values/email'
import Notification from '#app/notifications/models/notification'
import { resolveMailBrand } from '#app/identity_provider/mail_hook/resolve_mail_brand'
import { composeProviderMail } from '#app/identity_provider/mail_hook/compose_provider_mail'
import { deliverProviderMail } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import { readMailRecipient } from '#app/identity_provider/mail_hook/read_mail_recipient'
import {
  knownProviderMail,
  storeProviderMail,
} from '#app/identity_provider/mail_hook/store_provider_mail'
import {
  type AuditEntry,
  type AuditOutcome,
  UNFINISHED,
  auditEntry,
} from '#app/identity_provider/mail_hook/audit_entry'
import type { TemplateSource } from '#app/identity_provider/mail_hook/mail_content'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'

export interface ReceivedMail {
  status: 'sent' | 'queued' | 'duplicate' | 'undeliverable'
  /** Null if nothing could be rendered. */
  templateSource: TemplateSource | null
}

const NO_ADDRESS: AuditOutcome = {
  status: 'skipped',
  statusReason: 'NO_CHANNEL: the message names no address to deliver to',
}
const NO_TEXTS: AuditOutcome = {
  status: 'failed',
  statusReason: 'NO_TEMPLATE: neither a template nor texts of the provider',
}

/**
 * Stores a system e-mail and delivers it, waiting until it is delivered or the deadline passes
 * (identity-provider.md#order-of-the-e-mail-hook). A mail that can never be delivered is only
 * logged, because the provider would repeat a refused one.
 *
 * @param body the exact bytes, which identify a duplicate
 * @throws OrganisationNotServed
 */
export async function receiveProviderMail(
  message: ProviderMessage,
  body: Buffer,
  deadline: Deadline
): Promise<ReceivedMail> {
  const fingerprint = fingerprintOf(body)
  const known = await knownProviderMail(fingerprint)
  if (known) return { status: 'duplicate', templateSource: known.templateSource }

  const brand = await resolveMailBrand(message.organisation)
  const email = normalizeEmail(message.recipient) ?? ''
  const { name, locale } = await readMailRecipient(email, message)
  const composed = await composeProviderMail(message, { email, name, brand }, locale)
  const { mail, source, fromName } = composed
  if (mail === null) return undeliverable(auditEntry(email, message, composed, NO_TEXTS), null)
  if (email === '') return undeliverable(auditEntry(email, message, composed, NO_ADDRESS), source)

  const stored = await storeProviderMail({
    fingerprint,
    templateSource: source,
    audit: auditEntry(email, message, composed, UNFINISHED),
    content: {
      brandId: brand.id,
      recipient: { email, name },
      fromName,
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      secrets: message.secrets,
    },
  })
  const { templateSource } = stored.mail
  if (!stored.isNew) return { status: 'duplicate', templateSource }
  const timeIsUp = pause(deadline.left, false, { ref: false })
  const isSent = await Promise.race([deliverProviderMail(stored.mail), timeIsUp])
  return { status: isSent ? 'sent' : 'queued', templateSource }
}

/** Keyed, because codes could be guessed from a plain digest. */
function fingerprintOf(body: Buffer) {
  const digest = createHash('sha256').update(body).digest('hex')
  return secrets.fingerprint(digest, 'identity_provider.mail')
}

async function undeliverable(audit: AuditEntry, templateSource: TemplateSource | null) {
  const { id, statusReason } = await Notification.create(audit)
  logger.warn({ notification: id, statusReason }, 'The identity provider sent what no mail is')
  return { status: 'undeliverable' as const, templateSource }
}
