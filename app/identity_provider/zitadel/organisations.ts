import {
  type JsonObject,
  requireText,
  readResults,
  readText,
  readTotal,
} from '#app/identity_provider/zitadel/provider_json'
import {
  callProvider,
  unusableList,
  unusableResponse,
} from '#app/identity_provider/zitadel/call_provider'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { Missing } from '#app/identity_provider/zitadel/null_on_error'
import { readPages } from '#app/identity_provider/zitadel/read_pages'
import { providerPath } from '#app/identity_provider/zitadel/zitadel_api'
import {
  DomainExists,
  OrganisationExists,
  OrganisationNotFound,
} from '#app/identity_provider/exceptions'

/** See zitadel.md#organisations-api. */
export interface Organisation {
  id: string
  name: string
  /** The primary domain. */
  domain: string | null
  /** The value at the identity provider, such as `ORGANIZATION_STATE_ACTIVE`. */
  state: string | null
}

const PAGE = 100
const EQUALS = 'TEXT_QUERY_METHOD_EQUALS'
const READS = { permission: 'org.read' }
const WRITES = { permission: 'org.write' }

/** Anything else is not an id and must not reach a path or header. */
const ID = /^[\w-]{1,200}$/

/** @throws UpstreamUnreachable for a list that would not end, and as `callProvider` does */
export async function listOrganisations(): Promise<Organisation[]> {
  const all: Organisation[] = []
  const pages = readPages(
    (offset) => searchPage([], offset),
    ({ id }) => id
  )
  for await (const found of pages) all.push(...found)
  return all.sort((one, other) => one.id.length - other.id.length || compare(one.id, other.id))
}

/** @throws OrganisationNotFound */
export async function requireOrganisation(id: string): Promise<void> {
  const found =
    ID.test(id) && (await pollUntil(() => searchOrganisations([{ idQuery: { id } }]), isNotEmpty))
  if (!found || found.length === 0) throw new OrganisationNotFound()
}

/** Waits for an organisation that is known to exist. */
export async function findOrganisationByName(name: string): Promise<string> {
  const queries = [{ nameQuery: { name, method: EQUALS } }]
  const [found] = await pollUntil(() => searchOrganisations(queries), isNotEmpty)
  if (!found) throw unusableResponse()
  return found.id
}

/** @throws OrganisationExists */
export async function addOrganisation(name: string): Promise<string> {
  const taken = () => new OrganisationExists()
  const call = { method: 'POST', path: '/v2/organizations', body: { name } } as const
  const response = await callProvider({ ...call, permission: 'org.create', taken })
  return requireText(response, 'organizationId')
}

/** @throws DomainExists if another organisation has it */
export async function addDomain(id: string, domain: string): Promise<void> {
  try {
    await requestDomain(id, domain)
  } catch (error) {
    if (!(error instanceof DomainExists)) throw error
    const queries = [{ domainQuery: { domain, method: EQUALS } }]
    const owners = await pollUntil(() => searchOrganisations(queries), isNotEmpty)
    if (!owners.some((owner) => owner.id === id)) throw error
  }
}

async function requestDomain(id: string, domain: string) {
  const taken = () => new DomainExists()
  const question = { method: 'POST', body: { domain }, ...WRITES, taken } as const
  const path = providerPath`/v2/organizations/${id}/domains`
  try {
    await callProvider({ ...question, path, missing: () => new Missing() })
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    // For older versions of the provider.
    await callProvider({
      ...question,
      path: '/management/v1/orgs/me/domains',
      organisation: id,
      missing: () => new OrganisationNotFound(),
    })
  }
}

const searchOrganisations = async (queries: object[]) => (await searchPage(queries)).items

async function searchPage(queries: object[], offset = 0) {
  const query = { offset: String(offset), limit: PAGE, asc: true }
  const path = '/v2/organizations/_search'
  const body = { query, queries }
  const response = await callProvider({ method: 'POST', path, body, ...READS })
  const items = readResults(response).map(parseOrganisation)
  if (items.length > PAGE) throw unusableList('page_too_large')
  return { items, total: readTotal(response) }
}

function parseOrganisation(item: JsonObject): Organisation {
  return {
    id: requireText(item, 'id'),
    name: readText(item, 'name') ?? '',
    domain: readText(item, 'primaryDomain'),
    state: readText(item, 'state'),
  }
}

const isNotEmpty = (found: unknown[]) => found.length > 0

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
