import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Counts the rows that use the language. Their models belong to higher sections. */
export async function languageUsage(code: string, trx: TransactionClientContract) {
  const supportsLanguage =
    trx.dialect.name === 'postgres'
      ? 'supported_languages::jsonb @> to_jsonb(?::text)'
      : 'exists (select 1 from json_each(supported_languages) where value = ?)'
  return {
    applications: await count(trx.from('applications').whereRaw(supportsLanguage, [code])),
    templates: await count(trx.from('template_versions').whereRaw('lower(locale) = ?', [code])),
    users: await count(trx.from('users').whereRaw('lower(locale) = ?', [code])),
    fallbacks: await count(trx.from('languages').where('fallback', code)),
  }
}

async function count(rows: ReturnType<TransactionClientContract['from']>): Promise<number> {
  const [{ total }] = await rows.count('* as total')
  return Number(total)
}
