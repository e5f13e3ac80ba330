import type UserPool from '#app/platform/models/user_pool'

/** Expects `organisations` to be loaded. */
export function userPoolResource({ id, slug, name, brandId, organisations }: UserPool) {
  return {
    id,
    slug,
    name,
    brandId,
    organisations: organisations.map(({ organisationId }) => organisationId),
  }
}
