import { OrganisationNotServed } from '#app/identity_provider/exceptions'
import Brand from '#app/platform/models/brand'
import UserPool from '#app/platform/models/user_pool'

/**
 * An organisation outside all pools gets no mail (identity-provider.md#brand-of-a-message).
 * @throws OrganisationNotServed
 */
export async function resolveMailBrand(organisationId: string | undefined): Promise<Brand> {
  if (organisationId === undefined) throw new OrganisationNotServed()
  const own = await Brand.findBy('idpOrgId', organisationId)
  if (own) return own
  const pool = await UserPool.query()
    .whereHas('organisations', (rows) => rows.where('organisationId', organisationId))
    .preload('brand')
    .first()
  if (!pool) throw new OrganisationNotServed()
  return pool.brand ?? Brand.default()
}
