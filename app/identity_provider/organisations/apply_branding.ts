import { recordDone } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import {
  activateLabelPolicy,
  uploadLogo,
  writePrimaryColor,
} from '#app/identity_provider/zitadel/label_policy'
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
    await writePrimaryColor(orgId, primaryColor)
    if (logo) {
      await lease.renew()
      await uploadLogo(orgId, logo)
    }
    await lease.renew()
    await activateLabelPolicy(orgId)
  })
  await transaction((trx) =>
    recordDone(trx, {
      action: 'organisation.branding_changed',
      application: null,
      target: { kind: 'organisation', id: orgId, label: orgId },
      before: null,
      after: { primaryColor, logoUrl },
    })
  )
  return { primaryColor, logoUrl }
}
