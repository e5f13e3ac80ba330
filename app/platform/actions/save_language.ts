import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import { lockPlatform } from '#app/platform/actions/lock_platform'
import {
  InvalidFallback,
  LanguageExists,
  LanguageInUse,
  LanguageNotFound,
  TooManyLanguages,
} from '#app/platform/exceptions'
import Language from '#app/platform/models/language'
import { languageUsage } from '#app/platform/queries/language_usage'
import platformConfig from '#config/platform'

export const MAX_LANGUAGES = 1_000

export interface LanguageFields {
  code: string
  name: string
  fallback?: string | null
  enabled?: boolean
}

/** What the service itself falls back to, and therefore always has. */
const KEPT = new Set(['en', platformConfig.systemLanguage])

/** @throws LanguageExists, TooManyLanguages, InvalidFallback */
export async function createLanguage(fields: LanguageFields): Promise<Language> {
  return unlessTaken(LanguageExists, () =>
    transaction(async (trx) => {
      await lockPlatform(trx)
      await requireRoom(Language.query({ client: trx }), MAX_LANGUAGES, TooManyLanguages)
      const language = new Language().merge({ fallback: null, enabled: true, ...fields })
      return save(language, trx)
    })
  )
}

/** Changes the fields that are given; the code stays. @throws LanguageNotFound, InvalidFallback, LanguageInUse */
export async function updateLanguage(code: string, fields: Partial<Omit<LanguageFields, 'code'>>) {
  return transaction(async (trx) => {
    await lockPlatform(trx)
    const language = await findLanguage(code, trx)
    if (fields.enabled === false && KEPT.has(code)) throw inUse({ system: true })
    return save(language.merge(fields), trx)
  })
}

/** @throws LanguageNotFound, LanguageInUse naming who uses it */
export async function deleteLanguage(code: string) {
  await transaction(async (trx) => {
    await lockPlatform(trx)
    const language = await findLanguage(code, trx)
    if (KEPT.has(code)) throw inUse({ system: true })
    const usage = await languageUsage(code, trx)
    if (Object.values(usage).some((count) => count > 0)) throw inUse({ usage })
    await language.delete()
  })
}

const inUse = (details: Record<string, unknown>) => new LanguageInUse({ details })

async function findLanguage(code: string, client: TransactionClientContract) {
  const language = await Language.findBy({ code }, { client })
  if (!language) throw new LanguageNotFound()
  return language
}

async function save(language: Language, trx: TransactionClientContract) {
  await requireValidFallback(language, trx)
  return language.useTransaction(trx).save()
}

async function requireValidFallback(language: Language, client: TransactionClientContract) {
  const { fallback } = language
  if (fallback === null) return
  const others = await Language.query({ client }).select('code', 'fallback')
  const fallbackOf = new Map(others.map((other) => [other.code, other.fallback]))
  const seen = new Set([language.code])
  for (let next: string | null = fallback; next !== null; next = fallbackOf.get(next)!) {
    if (seen.has(next) || !fallbackOf.has(next))
      throw new InvalidFallback({ details: { fallback } })
    seen.add(next)
  }
}
