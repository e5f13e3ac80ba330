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
  if (fallback === null) return
  const others = await Language.query({ client }).select('code', 'fallback')
  const fallbackOf = new Map(others.map((other) => [other.code, other.fallback]))
  const seen = new Set([language.code])
  for (let next: string | null = fallback; next !== null; next = fallbackOf.get(next)!) {
    if (seen.has(next) || !fallbackOf.has(next)) {
      throw new InvalidFallback({ details: { fallback } })
    }
    seen.add(next)
  }
}
