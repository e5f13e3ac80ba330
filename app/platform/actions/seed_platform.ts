import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Brand from '#app/platform/models/brand'
import Language from '#app/platform/models/language'
import platformConfig from '#config/platform'

const LANGUAGES = [
  { code: 'en', name: 'English', fallback: null },
  { code: 'cs', name: 'Čeština', fallback: 'en' },
]

/** Creates missing languages and a missing default brand (configuration.md#seeds-from-settings). */
export async function seedPlatform(trx: TransactionClientContract) {
  for (const { code, ...rest } of LANGUAGES) {
    await Language.firstOrCreate({ code }, { ...rest, enabled: true }, { client: trx })
  }
  const hasDefault = await Brand.query({ client: trx }).where('isDefault', true).first()
  if (hasDefault) return
  const slug = platformConfig.defaultBrand
  await Brand.updateOrCreate({ slug }, { name: slug, isDefault: true }, { client: trx })
}
