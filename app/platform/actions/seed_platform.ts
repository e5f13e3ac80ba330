import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { creationOf, updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import Brand from '#app/platform/models/brand'
import Language from '#app/platform/models/language'
import { auditedBrand, auditedLanguage } from '#app/platform/transformers/audited_rows'
import platformConfig from '#config/platform'

const LANGUAGES = [
  { code: 'en', name: 'English', fallback: null },
  { code: 'cs', name: 'Čeština', fallback: 'en' },
]

/** Creates missing languages and a missing default brand (configuration.md#seeds-from-settings). */
export async function seedPlatform(trx: TransactionClientContract) {
  for (const { code, ...rest } of LANGUAGES) {
    const fields = { ...rest, enabled: true }
    const language = await Language.firstOrCreate({ code }, fields, { client: trx })
    if (!language.$isLocal) continue
    await recordChange(trx, creationOf(auditedLanguage(language)))
  }
  const hasDefault = await Brand.query({ client: trx }).where('isDefault', true).first()
  if (hasDefault) return
  const slug = platformConfig.defaultBrand
  const known = await Brand.findBy({ slug }, { client: trx })
  const former = known && auditedBrand(known)
  const brand = await (known ?? new Brand())
    .useTransaction(trx)
    .merge({ slug, name: slug, isDefault: true })
    .save()
  const saved = auditedBrand(await brand.refresh())
  await recordChange(trx, former ? updateOf(former, saved) : creationOf(saved))
}
