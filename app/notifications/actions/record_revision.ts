import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { currentActor } from '#core/audit/audit_actor'
import TemplateRevision from '#app/notifications/models/template_revision'
import type TemplateVersion from '#app/notifications/models/template_version'

/** Of one language version (notifications.md#revisions). */
export const MAX_REVISIONS = 100

/** The number of the next revision. The caller has locked the version. */
export async function nextRevision(
  templateId: number,
  locale: string,
  trx: TransactionClientContract
): Promise<number> {
  const newest = await TemplateRevision.ofVersion(templateId, locale, trx)
    .select('revision')
    .orderBy('revision', 'desc')
    .first()
  return (newest?.revision ?? 0) + 1
}

/**
 * Keeps the current texts of a version, and who saved them. Drops the oldest revision if needed.
 */
export async function recordRevision(
  version: TemplateVersion,
  trx: TransactionClientContract,
  restoredFrom: number | null = null
) {
  const { notificationTemplateId, locale, revision, subjectTemplate, bodyTemplate } = version
  const { kind, email = null, name = null } = currentActor()
  await TemplateRevision.create(
    {
      notificationTemplateId,
      locale,
      revision,
      subjectTemplate,
      bodyTemplate,
      restoredFrom,
      actorKind: kind,
      actorEmail: email,
      actorName: name,
    },
    { client: trx }
  )
  await TemplateRevision.ofVersion(notificationTemplateId, locale, trx)
    .where('revision', '<=', revision - MAX_REVISIONS)
    .delete()
}
