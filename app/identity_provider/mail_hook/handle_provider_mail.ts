import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { transaction } from '#core/database/transaction'
import { secrets } from '#core/secrets'
import type { Deadline } from '#core/values/deadline'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import Notification from '#app/notifications/models/notification'
import type { NotificationRecord } from '#app/delivery/values/notification_record'
import {
  deliverProviderMail,
  pendingDeliveries,
} from '#app/identity_provider/mail_hook/deliver_provider_mail'
import { prepareProviderMail } from '#app/identity_provider/mail_hook/prepare_provider_mail'
import {
  findDuplicateMail,
  storeProviderMail,
} from '#app/identity_provider/mail_hook/store_provider_mail'
import type { TemplateSource } from '#app/identity_provider/mail_hook/mail_content'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'
import type ProviderMail from '#app/identity_provider/models/provider_mail'
import identityProvider from '#config/identity_provider'

const { mostAwaited } = identityProvider.mails

export interface ReceivedMail {
  status: 'sent' | 'queued' | 'duplicate' | 'undeliverable'
  /** The source of the texts: `panel` or `idp`. Null if nothing could be rendered. */
  templateSource: TemplateSource | null
}

/**
 * See identity-provider.md#order-of-the-e-mail-hook. A mail that can never be delivered is only
 * logged, because the provider would repeat a refused one.
 * @param body the exact bytes, which identify a duplicate
 * @throws OrganisationNotServed
 */
export async function handleProviderMail(
  message: ProviderMessage,
  body: Buffer,
  deadline: Deadline
): Promise<ReceivedMail> {
  const fingerprints = fingerprintsOf(body)
  const duplicate = await findDuplicateMail(fingerprints)
  if (duplicate) return { status: 'duplicate', templateSource: duplicate.templateSource }

  const { content, templateSource, record } = await prepareProviderMail(message)
  if (content === null) {
    await logUndeliverable(record)
    return { status: 'undeliverable', templateSource }
  }

  const [fingerprint] = fingerprints
  // Requests that wait for mails use up the provider's share, and further ones would be lost.
  const isForLater = pendingDeliveries() >= mostAwaited
  const stored = { fingerprint, templateSource, record, content, isForLater }
  const { mail, isNew } = await storeProviderMail(stored)
  if (!isNew) return { status: 'duplicate', templateSource: mail.templateSource }
  if (isForLater) wakeBackgroundWork()
  const status = isForLater ? 'queued' : await deliverWithin(deadline, mail)
  return { status, templateSource: mail.templateSource }
}

/** Keyed, because codes could be guessed from a plain digest. The first is by the current key. */
function fingerprintsOf(body: Buffer) {
  const digest = createHash('sha256').update(body).digest('hex')
  return secrets.fingerprints(digest, 'identity_provider.mail')
}

async function logUndeliverable(record: NotificationRecord) {
  const { id, statusReason } = await transaction(async (trx) => {
    const entry = await Notification.create(record, { client: trx })
    await storeOutcomes([{ id: entry.id, outcome: record }], trx)
    return entry
  })
  logger.warn(
    { notification: id, statusReason },
    'A system mail of the identity provider cannot be delivered'
  )
}

/** After the deadline, the delivery continues in the background. */
async function deliverWithin(deadline: Deadline, mail: ProviderMail) {
  const timeIsUp = pause(deadline.remainingMs, false, { ref: false })
  const isSent = await Promise.race([deliverProviderMail(mail), timeIsUp])
  return isSent ? 'sent' : 'queued'
}
