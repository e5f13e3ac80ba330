import { deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { findLanguage } from '#app/platform/actions/find_language'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { LanguageInUse } from '#app/platform/exceptions'
import { languageUsage } from '#app/platform/queries/language_usage'
import { REQUIRED_LANGUAGES } from '#app/platform/values/required_languages'

/** @throws LanguageNotFound, LanguageInUse */
export async function deleteLanguage(code: string, dryRun = false) {
  return transaction(async (trx) => {
    await lockPlatformData(trx)
    const language = await findLanguage(code, trx)
    if (REQUIRED_LANGUAGES.has(code)) throw new LanguageInUse({ details: { system: true } })
    const usage = await languageUsage(code, trx)
    if (Object.values(usage).some((count) => count > 0)) {
      throw new LanguageInUse({ details: { usage } })
    }
    return deleteRow(language, dryRun)
  })
}
