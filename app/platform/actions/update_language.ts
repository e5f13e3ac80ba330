import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import type { LanguageFields } from '#app/platform/actions/create_language'
import { findLanguage } from '#app/platform/actions/find_language'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { saveLanguage } from '#app/platform/actions/save_language'
import { LanguageInUse } from '#app/platform/exceptions'
import type Language from '#app/platform/models/language'
import { auditedLanguage } from '#app/platform/transformers/audited_rows'
import { REQUIRED_LANGUAGES } from '#app/platform/values/required_languages'

/** @throws LanguageNotFound, Stale, InvalidFallback, LanguageInUse */
export async function updateLanguage(
  code: string,
  fields: Partial<Omit<LanguageFields, 'code'>>,
  requireFresh: RequireFresh<Language> = unconditional
) {
  return transaction(async (trx) => {
    await lockPlatformData(trx)
    const language = await findLanguage(code, trx)
    await requireFresh(() => language)
    if (fields.enabled === false && REQUIRED_LANGUAGES.has(code)) {
      throw new LanguageInUse({ details: { system: true } })
    }
    const before = auditedLanguage(language)
    await saveLanguage(language.merge(fields), trx)
    await recordChange(trx, updateOf(before, auditedLanguage(language)))
    return language
  })
}
