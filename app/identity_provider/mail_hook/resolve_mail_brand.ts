import { OrganisationNotServed } from '#app/identity_provider/exceptions'
import Brand from '#app/platform/models/brand'
import UserPool from '#app/platform/models/user_pool'

/**
 * The brand to write under: the organisation's own, that of its user pool, or the default one. An
 * organisation outside all pools gets no mail, so that none is sent from another organisation's
 * account (identity-provider.md#brand-of-a-message).
 *
 * @throws OrganisationNotServed if the organisation is unknown or in no pool
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
