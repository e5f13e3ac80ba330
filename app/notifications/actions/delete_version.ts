import { transaction } from '#core/database/transaction'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { findVersion } from '#app/notifications/actions/find_version'
import { lockVersion } from '#app/notifications/actions/lock_version'
import TemplateVersion from '#app/notifications/models/template_version'

/** @throws TemplateNotFound, TemplateVersionNotFound, Stale */
export async function deleteVersion(
  templateId: number,
  locale: string,
  requireFresh: RequireFresh<TemplateVersion> = unconditional
) {
  const found = await findVersion(templateId, locale)
  await transaction(async (trx) => {
    await lockVersion(templateId, found.locale, trx)
    const version = await TemplateVersion.of(templateId, found.locale, trx)
    await requireFresh(() => version)
    await version.delete()
  })
}
