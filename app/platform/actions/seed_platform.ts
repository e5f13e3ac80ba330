import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChange } from '#core/audit/record_change'
import Brand from '#app/platform/models/brand'
import Language from '#app/platform/models/language'
import { brandState } from '#app/platform/transformers/brand_state'
import { languageResource } from '#app/platform/transformers/language_resource'
import { brandTarget, languageTarget } from '#app/platform/values/audit_targets'
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
    await recordChange(trx, {
      action: 'language.created',
      application: null,
      target: languageTarget(language),
      before: null,
      after: languageResource(language),
    })
  }
  const hasDefault = await Brand.query({ client: trx }).where('isDefault', true).first()
  if (hasDefault) return
  const slug = platformConfig.defaultBrand
  const former = await Brand.findBy({ slug }, { client: trx })
  const brand = await Brand.updateOrCreate(
    { slug },
    { name: slug, isDefault: true },
    { client: trx }
  )
  await recordChange(trx, {
    action: former ? 'brand.updated' : 'brand.created',
    application: null,
    target: brandTarget(brand),
    before: former && brandState(former),
    after: brandState(await brand.refresh()),
  })
}
