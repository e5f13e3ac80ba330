import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { InvalidFallback } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'

/** @throws InvalidFallback */
export async function saveLanguage(language: Language, trx: TransactionClientContract) {
  await requireValidFallback(language, trx)
  return language.useTransaction(trx).save()
}

async function requireValidFallback(language: Language, client: TransactionClientContract) {
  const { fallback } = language
  const seen = new Set([language.code])
  let next = fallback
  while (next !== null) {
    if (seen.has(next)) throw new InvalidFallback({ details: { fallback } })
    seen.add(next)
    const found: Language | null = await Language.findBy({ code: next }, { client })
    if (!found) throw new InvalidFallback({ details: { fallback } })
    next = found.fallback
  }
}
