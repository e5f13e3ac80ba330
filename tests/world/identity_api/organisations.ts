import {
  type Operation,
  changed,
  matches,
  page,
  setting,
  text,
} from '#tests/world/identity_api/operation'
import { exists, invalid, notFound } from '#tests/world/identity_api/refusal'
import { type State, type StoredOrganisation, newId } from '#tests/world/identity_api/state'

const MAX_PAGE = 100

/** See zitadel.md#organisations-api. */
export const organisations: Record<string, Operation> = {
  createOrganisation: {
    method: 'POST',
    path: /^\/v2\/organizations$/,
    permission: 'org.create',
    writes: true,
    status: 201,
    run({ state, body }) {
      const name = text(body, 'name')
      const taken = [...state.organisations.values()].some((other) => other.name === name)
      if (taken) throw exists('Organisation already exists')
      const id = newId()
      const domain = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.id.example.com`
      state.organisations.set(id, { id, name, domains: [domain], state: 'ACTIVE' })
      return { organizationId: id, ...changed(), createdAdmins: [] }
    },
  },
  searchOrganisations: {
    method: 'POST',
    path: /^\/v2\/organizations\/_search$/,
    permission: 'org.read',
    run({ state, body }) {
      const queries = (body.queries ?? []) as Record<string, unknown>[]
      const matching = [...state.organisations.values()].filter((organisation) =>
        queries.every((query) => matchesQuery(organisation, query))
      )
      return page(matching.map(resource), body.query, MAX_PAGE)
    },
  },
  addDomain: {
    method: 'POST',
    path: /^\/v2\/organizations\/([^/]+)\/domains$/,
    permission: 'org.write',
    writes: true,
    run: ({ state, ids, body }) => addDomain(state, ids[0], text(body, 'domain')),
  },
  addDomainOlder: {
    method: 'POST',
    path: /^\/management\/v1\/orgs\/me\/domains$/,
    permission: 'org.write',
    writes: true,
    run: ({ state, orgId, body }) => addDomain(state, orgId, text(body, 'domain')),
  },
}

export function requireOrganisation(state: State, id: string): StoredOrganisation {
  const organisation = state.organisations.get(id)
  if (!organisation) throw notFound('Organisation not found')
  return organisation
}

function addDomain(state: State, id: string, domain: string) {
  const organisation = requireOrganisation(state, id)
  if (!/^[a-z0-9.-]+\.[a-z]+$/.test(domain)) throw invalid('invalid domain')
  const taken = [...state.organisations.values()].some(({ domains }) => domains.includes(domain))
  if (taken) throw exists('Domain already exists')
  organisation.domains.push(domain)
  return { creationDate: new Date().toISOString() }
}

function matchesQuery(
  { id, name, domains, state }: StoredOrganisation,
  query: Record<string, unknown>
) {
  const [[kind, value]] = Object.entries(query)
  const filter = setting(value)
  switch (kind) {
    case 'idQuery':
      return id === filter.id
    case 'nameQuery':
      return matches(name, filter.name, filter.method)
    case 'domainQuery':
      return domains.some((domain) => matches(domain, filter.domain, filter.method))
    case 'stateQuery':
      return `ORGANIZATION_STATE_${state}` === filter.state
    default:
      throw invalid(`unknown query ${kind}`)
  }
}

const resource = ({ id, name, domains, state }: StoredOrganisation) => ({
  id,
  name,
  state: `ORGANIZATION_STATE_${state}`,
  primaryDomain: domains[0],
})
