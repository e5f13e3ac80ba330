import type UserPool from '#app/platform/models/user_pool'

/** See platform.md#user-pool-fields; the pool's organisations must be loaded. */
export function userPoolResource({ id, slug, name, brandId, organisations }: UserPool) {
  return {
    id,
    slug,
    name,
    brandId,
    organisations: organisations.map(({ organisationId }) => organisationId),
  }
}
