import type { AuditedRow } from '#core/audit/audited_row'
import type Brand from '#app/platform/models/brand'
import type Language from '#app/platform/models/language'
import type UserPool from '#app/platform/models/user_pool'
import { brandState } from '#app/platform/transformers/brand_state'
import { languageResource } from '#app/platform/transformers/language_resource'
import { userPoolResource } from '#app/platform/transformers/user_pool_resource'

export const auditedBrand = (brand: Brand): AuditedRow => ({
  application: null,
  target: { kind: 'brand', id: brand.id, label: brand.slug },
  state: brandState(brand),
})

export const auditedLanguage = (language: Language): AuditedRow => ({
  application: null,
  target: { kind: 'language', id: language.code, label: language.name },
  state: languageResource(language),
})

/** Expects `organisations` to be loaded. */
export const auditedUserPool = (pool: UserPool): AuditedRow => ({
  application: null,
  target: { kind: 'user_pool', id: pool.id, label: pool.slug },
  state: userPoolResource(pool),
})
