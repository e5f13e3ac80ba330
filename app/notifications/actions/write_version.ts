import type { DateTime } from 'luxon'
import { recordChange } from '#core/audit/record_change'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { lockVersion } from '#app/notifications/actions/lock_version'
import { nextRevision, recordRevision } from '#app/notifications/actions/record_revision'
import TemplateVersion from '#app/notifications/models/template_version'
import type { PreparedTexts } from '#app/notifications/preparation/prepare_texts'
import { auditedTemplate } from '#app/notifications/queries/audited_template'
import { versionState } from '#app/notifications/transformers/template_states'

/** Prepared texts in a registered language. */
export type VersionFields = PreparedTexts & { locale: string }

interface Writing {
  requireFresh: RequireFresh<TemplateVersion | null>
  /** The revision whose texts these are */
  restoredFrom: number | null
}

/**
 * Creates or replaces a version. Saving texts that it already has makes no revision; restoring them
 * does (notifications.md#revisions).
 * @throws Stale
 */
export function writeVersion(
  notificationTemplateId: number,
  fields: VersionFields,
  { requireFresh = unconditional, restoredFrom = null }: Partial<Writing> = {}
): Promise<TemplateVersion> {
  return transaction(async (trx) => {
    await lockVersion(notificationTemplateId, fields.locale, trx)
    const key = { notificationTemplateId, locale: fields.locale }
    const version = await TemplateVersion.firstOrNew(key, fields, { client: trx })
    const former = version.$isPersisted ? versionState(version) : null
    await requireFresh(() => (version.$isPersisted ? version : null))
    const before = version.$isPersisted ? version.updatedAt : null
    const makesRevision =
      restoredFrom !== null || !version.$isPersisted || version.differsFrom(fields)
    version.merge(fields)
    if (makesRevision) {
      version.revision = await nextRevision(notificationTemplateId, fields.locale, trx)
    }
    await version.save()
    if (before && version.updatedAt <= before) await advanceUpdatedAt(before, version)
    if (!makesRevision) return version
    await recordRevision(version, trx, restoredFrom)
    await recordChange(trx, {
      action: restoredFrom === null ? 'template_version.saved' : 'template_version.restored',
      before: former,
      after: { ...versionState(version), ...(restoredFrom !== null && { restoredFrom }) },
      ...(await auditedTemplate(notificationTemplateId, trx)),
    })
    return version
  })
}

/** The cache identifies compiled versions by `updatedAt`, so no two changes may share one. */
async function advanceUpdatedAt(before: DateTime, version: TemplateVersion) {
  const updatedAt = before.plus({ milliseconds: 1 })
  await TemplateVersion.query({ client: version.$trx })
    .where('id', version.id)
    .update({ updated_at: toDatabaseTimestamp(updatedAt) })
  version.updatedAt = updatedAt
}
