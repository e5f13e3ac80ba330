import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { TtlCache } from '#core/database/ttl_cache'
import { outsideRequests } from '#core/http/outside_requests'
import { LanguageSchema } from '#database/schema'
import { languageRegistry } from '#app/platform/queries/language_registry'
import { type LanguageRegistry, matchLocale } from '#app/platform/values/choose_locale'

const registry = new TtlCache<'languages', LanguageRegistry>(async () => {
  const rows = await outsideRequests(() => languageRegistry.all([]))
  return new Map(
    rows.map(({ code, fallback, enabled }) => [code, { fallback, enabled: Boolean(enabled) }])
  )
})

export default class Language extends LanguageSchema {
  static async findUnknownCodes(codes: string[]): Promise<string[]> {
    if (codes.length === 0) return []
    const known = await this.query().whereIn('code', codes)
    const registered = new Set(known.map(({ code }) => code))
    return [...new Set(codes)].filter((code) => !registered.has(code))
  }

  /** The code of the registered language that a locale names, such as `cs` for `cs-CZ`. */
  static async codeOf(locale: string, client?: QueryClientContract): Promise<string | null> {
    const languages = await this.query({ client }).select('code')
    return matchLocale(
      locale,
      languages.map(({ code }) => code)
    )
  }

  static registry(): Promise<LanguageRegistry> {
    return registry.get('languages')
  }

  @afterSave()
  @afterDelete()
  static invalidateRegistry(language: Language) {
    registry.clearAfterCommit(language)
  }
}
