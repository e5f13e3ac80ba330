import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { secrets } from '#core/secrets'
import Notification from '#app/notifications/models/notification'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import type { NotificationRecord } from '#app/delivery/values/notification_record'
import {
  MAIL_CONTENT_PURPOSE,
  type MailContent,
  type TemplateSource,
} from '#app/identity_provider/mail_hook/mail_content'
import identityProvider from '#config/identity_provider'

const { leaseMs, retryForMinutes, rememberedDays } = identityProvider.mails

export interface NewProviderMail {
  fingerprint: string
  templateSource: TemplateSource
  content: MailContent
  record: NotificationRecord
  /** Whether the background sends it, as soon as it has its turn */
  isForLater: boolean
}

/** The mail with the same body that is queued or was sent in the last days. */
export async function findDuplicateMail(fingerprints: string[]): Promise<ProviderMail | null> {
  const mails = await ProviderMail.query().whereIn('fingerprint', fingerprints)
  return mails.find(isDuplicateOf) ?? null
}

/**
 * Stores a mail with its log entry, only once for concurrent duplicates. The caller has claimed it,
 * unless it is for later.
 */
export async function storeProviderMail(
  input: NewProviderMail
): Promise<{ mail: ProviderMail; isNew: boolean }> {
  const claim = randomUUID()
  const content = secrets.encrypt(JSON.stringify(input.content), MAIL_CONTENT_PURPOSE)
  return transaction(async (trx) => {
    const now = DateTime.utc()
    const fields = {
      claim,
      status: 'queued' as const,
      content,
      brandId: input.content.brandId,
      templateSource: input.templateSource,
      rounds: 0,
      dueAt: input.isForLater ? now : now.plus({ milliseconds: leaseMs }),
      giveUpAt: now.plus({ minutes: retryForMinutes }),
      receivedAt: now,
    }
    await trx
      .table(ProviderMail.table)
      .insert({
        fingerprint: input.fingerprint,
        claim,
        status: fields.status,
        content,
        brand_id: fields.brandId,
        template_source: fields.templateSource,
        give_up_at: toDatabaseTimestamp(fields.giveUpAt),
        due_at: toDatabaseTimestamp(fields.dueAt),
        received_at: toDatabaseTimestamp(now),
        created_at: toDatabaseTimestamp(now),
        updated_at: toDatabaseTimestamp(now),
      })
      .onConflict('fingerprint')
      .ignore()
    const mail = await ProviderMail.query({ client: trx })
      .where('fingerprint', input.fingerprint)
      .forUpdate()
      .firstOrFail()
    if (mail.claim !== claim && isDuplicateOf(mail)) return { mail, isNew: false }
    const { id: notificationId } = await Notification.create(input.record, { client: trx })
    await mail.merge({ ...fields, notificationId }).save()
    return { mail, isNew: true }
  })
}

/** See identity-provider.md#duplicate-messages. */
function isDuplicateOf({ status, receivedAt }: ProviderMail) {
  return status !== 'failed' && receivedAt > DateTime.utc().minus({ days: rememberedDays })
}
