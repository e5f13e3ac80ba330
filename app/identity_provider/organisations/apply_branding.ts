import type { Change } from '#core/audit/change'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import {
  activateLabelPolicy,
  readLabelPolicy,
  uploadLogo,
  writePrimaryColor,
} from '#app/identity_provider/zitadel/label_policy'
import {
  UNCONFIRMED,
  type Unconfirmed,
  recordDespiteFailure,
  recordProviderChange,
} from '#app/identity_provider/zitadel/provider_writes'
import { requireOrganisation } from '#app/identity_provider/zitadel/organisations'
import { fetchLogo } from '#app/identity_provider/organisations/fetch_logo'
import { withLease } from '#core/database/leases/with_lease'

export interface Branding {
  primaryColor: string
  /** Null keeps the current logo. */
  logoUrl: string | null
}

/**
 * See identity-provider.md#branding-an-organisation.
 * @throws OrganisationNotFound, LogoNotUsable, AlreadyAtWork, and as `callProvider` does
 */
export async function applyBranding(orgId: string, { primaryColor, logoUrl }: Branding) {
  requireServiceAccount()
  await requireOrganisation(orgId)
  const logo = logoUrl === null ? null : await fetchLogo(logoUrl)
  await withLease(`organisation:${orgId}`, async (lease) => {
    const current = await readLabelPolicy(orgId)
    const change = (state: Unconfirmed = {}): Change => ({
      action: 'organisation.branding_changed',
      application: null,
      target: { kind: 'organisation', id: orgId, label: orgId },
      before: null,
      after: { primaryColor, logoUrl, ...state },
    })
    await recordDespiteFailure(change(UNCONFIRMED), async () => {
      await writePrimaryColor(orgId, current, primaryColor)
      if (logo) {
        await lease.renew()
        await uploadLogo(orgId, logo)
      }
      await lease.renew()
      await activateLabelPolicy(orgId)
      await recordProviderChange(change())
    })
  })
  return { primaryColor, logoUrl }
}
