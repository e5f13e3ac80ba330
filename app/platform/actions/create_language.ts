import { requireRoom } from '#core/database/require_room'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { lockPlatformData } from '#app/platform/actions/lock_platform_data'
import { saveLanguage } from '#app/platform/actions/save_language'
import { LanguageExists, TooManyLanguages } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'
import { auditedLanguage } from '#app/platform/transformers/audited_rows'

export const MAX_LANGUAGES = 1_000

export interface LanguageFields {
  code: string
  name: string
  fallback?: string | null
  enabled?: boolean
}

/** @throws LanguageExists, TooManyLanguages, InvalidFallback */
export async function createLanguage(fields: LanguageFields): Promise<Language> {
  return mapUniqueViolation(LanguageExists, () =>
    transaction(async (trx) => {
      await lockPlatformData(trx)
      await requireRoom(Language.query({ client: trx }), MAX_LANGUAGES, TooManyLanguages)
      const language = new Language().merge({ fallback: null, enabled: true, ...fields })
      await saveLanguage(language, trx)
      await recordChange(trx, creationOf(auditedLanguage(language)))
      return language
    })
  )
}
