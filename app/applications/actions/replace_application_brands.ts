import { lockUntilCommit } from '#core/database/lock_until_commit'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import Brand from '#app/platform/models/brand'
import { UnknownBrand } from '#app/platform/exceptions'
import Application from '#app/applications/models/application'
import { applicationTarget } from '#app/applications/values/audit_targets'

/** @throws ApplicationNotFound, UnknownBrand */
export async function replaceApplicationBrands(
  appCode: string,
  slugs: string[]
): Promise<string[]> {
  return transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    await lockUntilCommit(trx, `application_brands:${application.id}`)
    const wanted = [...new Set(slugs)]
    const brands = await Brand.query({ client: trx }).whereIn('slug', wanted).orderBy('id')
    if (brands.length < wanted.length) {
      const known = new Set(brands.map(({ slug }) => slug))
      throw new UnknownBrand({ details: { unknown: wanted.filter((slug) => !known.has(slug)) } })
    }
    const former = await application.related('brands').query().orderBy('id')
    await application.related('brands').sync(brands.map(({ id }) => id))
    const assigned = brands.map(({ slug }) => slug)
    await recordChange(trx, {
      action: 'application.brands_replaced',
      application,
      target: applicationTarget(application),
      before: { brands: former.map(({ slug }) => slug) },
      after: { brands: assigned },
    })
    return assigned
  })
}
