import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import { PreparedQuery } from '#core/database/prepared_query'
import { TtlCache } from '#core/database/ttl_cache'
import { LanguageSchema } from '#database/schema'

const fallbacksQuery = new PreparedQuery<{ code: string; fallback: string | null }>(
  'language_fallbacks',
  'select code, fallback from languages'
)

const fallbacks = new TtlCache<'languages', ReadonlyMap<string, string | null>>(async () => {
  const rows = await fallbacksQuery.all([])
  return new Map(rows.map(({ code, fallback }) => [code, fallback]))
})

export default class Language extends LanguageSchema {
  static async findUnknownCodes(codes: string[]): Promise<string[]> {
    if (codes.length === 0) return []
    const known = await this.query().whereIn('code', codes)
    const registered = new Set(known.map(({ code }) => code))
    return [...new Set(codes)].filter((code) => !registered.has(code))
  }

  static fallbacks(): Promise<ReadonlyMap<string, string | null>> {
    return fallbacks.get('languages')
  }

  @afterSave()
  @afterDelete()
  static invalidateFallbacks(language: Language) {
    fallbacks.clearAfterCommit(language)
  }
}
