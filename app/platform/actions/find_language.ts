import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { LanguageNotFound } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'

/** @throws LanguageNotFound */
export async function findLanguage(code: string, client: TransactionClientContract) {
  const language = await Language.findBy({ code }, { client })
  if (!language) throw new LanguageNotFound({ detail: `Language ${code} does not exist` })
  return language
}
