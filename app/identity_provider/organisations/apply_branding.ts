import { recordDone } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import {
  activateLabelPolicy,
  readLabelPolicy,
  uploadLogo,
  writePrimaryColor,
} from '#app/identity_provider/zitadel/label_policy'
import { recordOnceMade } from '#app/identity_provider/zitadel/record_once_made'
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
    const change = async () => {
      await writePrimaryColor(orgId, current, primaryColor)
      if (logo) {
        await lease.renew()
        await uploadLogo(orgId, logo)
      }
      await lease.renew()
      await activateLabelPolicy(orgId)
    }
    await recordOnceMade(change, () => recordBranding(orgId, { primaryColor, logoUrl }))
  })
  return { primaryColor, logoUrl }
}

async function recordBranding(orgId: string, branding: Branding) {
  await transaction((trx) =>
    recordDone(trx, {
      action: 'organisation.branding_changed',
      application: null,
      target: { kind: 'organisation', id: orgId, label: orgId },
      before: null,
      after: { ...branding },
    })
  )
}
