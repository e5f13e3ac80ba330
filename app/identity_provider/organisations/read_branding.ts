import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import { type Appearance, readAppearance } from '#app/identity_provider/zitadel/label_policy'
import { requireOrganisation } from '#app/identity_provider/zitadel/organisations'

/** @throws OrganisationNotFound, and as `callProvider` does */
export async function readBranding(orgId: string): Promise<Appearance> {
  requireServiceAccount()
  await requireOrganisation(orgId)
  return readAppearance(orgId)
}
