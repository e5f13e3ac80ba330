import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { findLanguage } from '#app/platform/actions/find_language'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { LanguageInUse } from '#app/platform/exceptions'
import type Language from '#app/platform/models/language'
import { auditedLanguage } from '#app/platform/transformers/audited_rows'
import { languageUsage } from '#app/platform/queries/language_usage'
import { REQUIRED_LANGUAGES } from '#app/platform/values/required_languages'

/** @throws LanguageNotFound, Stale, LanguageInUse */
export async function deleteLanguage(
  code: string,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Language> = {}
) {
  return transaction(async (trx) => {
    await lockPlatformData(trx)
    const language = await findLanguage(code, trx)
    await requireFresh(() => language)
    if (REQUIRED_LANGUAGES.has(code)) throw new LanguageInUse({ details: { system: true } })
    const usage = await languageUsage(code, trx)
    if (Object.values(usage).some((count) => count > 0)) {
      throw new LanguageInUse({ details: { usage } })
    }
    return deleteRow(language, deletionOf(auditedLanguage(language)), dryRun)
  })
}
