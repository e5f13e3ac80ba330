import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** How many rows of each kind name the language. The tables belong to sections above, hence no models. */
export async function languageUsage(code: string, trx: TransactionClientContract) {
  const supports =
    trx.dialect.name === 'postgres'
      ? 'supported_languages::jsonb @> to_jsonb(?::text)'
      : 'exists (select 1 from json_each(supported_languages) where value = ?)'
  return {
    applications: await count(trx.from('applications').whereRaw(supports, [code])),
    templates: await count(trx.from('template_versions').whereRaw('lower(locale) = ?', [code])),
    users: await count(trx.from('users').whereRaw('lower(locale) = ?', [code])),
    fallbacks: await count(trx.from('languages').where('fallback', code)),
  }
}

async function count(rows: ReturnType<TransactionClientContract['from']>): Promise<number> {
  const [{ total }] = await rows.count('* as total')
  return Number(total)
}
