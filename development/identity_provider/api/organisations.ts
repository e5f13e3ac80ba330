import { type Operation, type PageQuery, changed, matches, operation, page } from './operation.ts'
import { exists, notFound } from './refusal.ts'
import { METHOD, NAME, PAGE, object, oneOf, queries } from './schema.ts'
import { type State, type StoredOrganisation, newId } from './state.ts'

type OrganisationQuery =
  | { idQuery: { id: string } }
  | { nameQuery: { name: string; method?: string } }
  | { domainQuery: { domain: string; method?: string } }
  | { stateQuery: { state: string } }

const SEARCH = object({
  query: PAGE,
  queries: queries({
    idQuery: object({ id: NAME }, ['id']),
    nameQuery: object({ name: NAME, method: METHOD }, ['name']),
    domainQuery: object({ domain: NAME, method: METHOD }, ['domain']),
    stateQuery: object(
      { state: oneOf('ORGANIZATION_STATE_ACTIVE', 'ORGANIZATION_STATE_INACTIVE') },
      ['state']
    ),
  }),
})
const DOMAIN = { type: 'string', maxLength: 253, pattern: '^[a-z0-9.-]+\\.[a-z]+$' }
const WITH_DOMAIN = object({ domain: DOMAIN }, ['domain'])

/** See zitadel.md#organisations-api. */
export const organisations: Record<string, Operation> = {
  createOrganisation: operation<{ name: string }>({
    method: 'POST',
    path: /^\/v2\/organizations$/,
    permission: 'org.create',
    writes: true,
    status: 201,
    takes: object({ name: NAME }, ['name']),
    run({ state, body: { name } }) {
      const taken = [...state.organisations.values()].some((other) => other.name === name)
      if (taken) throw exists('Organisation already exists')
      const id = newId()
      const domain = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.id.example.com`
      state.organisations.set(id, { id, name, domains: [domain], state: 'ACTIVE' })
      return { organizationId: id, ...changed(), createdAdmins: [] }
    },
  }),
  searchOrganisations: operation<{ query?: PageQuery; queries?: OrganisationQuery[] }>({
    method: 'POST',
    path: /^\/v2\/organizations\/_search$/,
    permission: 'org.read',
    takes: SEARCH,
    run({ state, body }) {
      const matching = [...state.organisations.values()].filter((organisation) =>
        (body.queries ?? []).every((query) => matchesQuery(organisation, query))
      )
      return page(matching.map(resource), body.query)
    },
  }),
  addDomain: operation<{ domain: string }>({
    method: 'POST',
    path: /^\/v2\/organizations\/([^/]+)\/domains$/,
    permission: 'org.write',
    writes: true,
    takes: WITH_DOMAIN,
    run: ({ state, ids, body }) => addDomain(state, ids[0], body.domain),
  }),
  addDomainOlder: operation<{ domain: string }>({
    method: 'POST',
    path: /^\/management\/v1\/orgs\/me\/domains$/,
    permission: 'org.write',
    writes: true,
    takes: WITH_DOMAIN,
    run: ({ state, orgId, body }) => addDomain(state, orgId, body.domain),
  }),
}

export function requireOrganisation(state: State, id: string): StoredOrganisation {
  const organisation = state.organisations.get(id)
  if (!organisation) throw notFound('Organisation not found')
  return organisation
}

function addDomain(state: State, id: string, domain: string) {
  const organisation = requireOrganisation(state, id)
  const taken = [...state.organisations.values()].some(({ domains }) => domains.includes(domain))
  if (taken) throw exists('Domain already exists')
  organisation.domains.push(domain)
  return { creationDate: new Date().toISOString() }
}

function matchesQuery(
  { id, name, domains, state }: StoredOrganisation,
  query: OrganisationQuery
): boolean {
  if ('idQuery' in query) return id === query.idQuery.id
  if ('nameQuery' in query) return matches(name, query.nameQuery.name, query.nameQuery.method)
  if ('domainQuery' in query) {
    const { domain: wanted, method } = query.domainQuery
    return domains.some((domain) => matches(domain, wanted, method))
  }
  return `ORGANIZATION_STATE_${state}` === query.stateQuery.state
}

const resource = ({ id, name, domains, state }: StoredOrganisation) => ({
  id,
  name,
  state: `ORGANIZATION_STATE_${state}`,
  primaryDomain: domains[0],
})
