import { transaction } from '#core/database/transaction'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { findVersion } from '#app/notifications/actions/find_version'
import { lockVersion } from '#app/notifications/actions/lock_version'
import TemplateVersion from '#app/notifications/models/template_version'
import { auditedTemplate } from '#app/notifications/queries/audited_template'
import { versionState } from '#app/notifications/transformers/template_states'

/** @throws TemplateNotFound, TemplateVersionNotFound, Stale */
export async function deleteVersion(
  templateId: number,
  locale: string,
  { dryRun, requireFresh = unconditional }: DeleteOptions<TemplateVersion> = {}
) {
  return transaction(async (trx) => {
    const found = await findVersion(templateId, locale, trx)
    await lockVersion(templateId, found.locale, trx)
    const version = await TemplateVersion.of(templateId, found.locale, trx)
    await requireFresh(() => version)
    const deletion = { action: 'template_version.deleted' as const, before: versionState(version) }
    return deleteRow(version, { ...deletion, ...(await auditedTemplate(templateId, trx)) }, dryRun)
  })
}
