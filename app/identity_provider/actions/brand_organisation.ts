import { requireServiceAccount } from '#app/identity_provider/admin_api/ask_provider'
import { activateLook, uploadLogo, writeColour } from '#app/identity_provider/admin_api/looks'
import { requireOrganisation } from '#app/identity_provider/admin_api/organisations'
import { fetchLogo } from '#app/identity_provider/actions/fetch_logo'
import { underLease } from '#app/identity_provider/actions/under_lease'

export interface Branding {
  primaryColor: string
  /** Where the logo is now; none: the one there stays. */
  logoUrl: string | null
}

/**
 * Gives an organisation its look at the identity provider, and activates it: until then nobody sees it (specification
 * 4.7, provider contract 6.5). The logo is copied there.
 *
 * @throws OrganisationNotFound, LogoNotUsable, AlreadyAtWork, and as `askProvider` does
 */
export async function brandOrganisation(orgId: string, { primaryColor, logoUrl }: Branding) {
  requireServiceAccount()
  await requireOrganisation(orgId)
  const logo = logoUrl === null ? null : await fetchLogo(logoUrl)
  await underLease(`organisation:${orgId}`, async (lease) => {
    await writeColour(orgId, primaryColor)
    if (logo) {
      await lease.renew()
      await uploadLogo(orgId, logo)
    }
    await lease.renew()
    await activateLook(orgId)
  })
  return { primaryColor, logoUrl }
}
