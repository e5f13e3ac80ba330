import type { Change } from '#core/audit/change'
import { Problem } from '#core/exceptions/problem'
import {
  addDomain,
  addOrganisation,
  findOrganisationByName,
} from '#app/identity_provider/zitadel/organisations'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import {
  UNCONFIRMED,
  type Unconfirmed,
  recordDespiteFailure,
  recordProviderChange,
} from '#app/identity_provider/zitadel/provider_writes'
import { type Lease, withLease } from '#core/database/leases/with_lease'
import { OrganisationExists } from '#app/identity_provider/exceptions'
import PendingOrganisation from '#app/identity_provider/models/pending_organisation'

export interface NewOrganisation {
  name: string
  domain: string
}

/**
 * See identity-provider.md#creating-an-organisation.
 * @throws OrganisationExists, DomainExists, AlreadyAtWork, and as `callProvider` does
 */
export async function createOrganisation({ name, domain }: NewOrganisation) {
  requireServiceAccount()
  const lost = creation(name, { name, domain, ...UNCONFIRMED })
  return withLease(`organisation-name:${name}`, (lease) =>
    recordDespiteFailure(lost, () => create({ name, domain }, lease))
  )
}

async function create({ name, domain }: NewOrganisation, lease: Lease) {
  const { wasBegun } = await PendingOrganisation.begin(name)
  const id = await addOrganisation(name).catch(async (error: unknown) => {
    if (wasBegun && error instanceof OrganisationExists) return findOrganisationByName(name)
    // A clear refusal. After any other failure the organisation may exist.
    if (!wasBegun && isRefusal(error)) await PendingOrganisation.end(name)
    throw error
  })
  let state: OrganisationState = { name, domain: null }
  try {
    await lease.renew()
    state = { name, domain, ...UNCONFIRMED }
    await addDomain(id, domain)
    state = { name, domain }
    await PendingOrganisation.end(name)
  } catch (error) {
    if (isRefusal(error)) state = { name, domain: null }
    throw error
  } finally {
    // It exists, with or without its domain.
    await recordProviderChange(creation(id, state))
  }
  return { id, name, domain }
}

interface OrganisationState extends Unconfirmed {
  name: string
  domain: string | null
}

const creation = (id: string, state: OrganisationState): Change => ({
  action: 'organisation.created',
  application: null,
  target: { kind: 'organisation', id, label: state.name },
  before: null,
  after: { ...state },
})

const isRefusal = (error: unknown) => error instanceof Problem && error.kind.status < 500
