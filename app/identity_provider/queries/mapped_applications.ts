import Application from '#app/applications/models/application'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import identityProvider from '#config/identity_provider'

/** New members of the organisation get a preference in the application. */
export interface MappedApplication {
  orgId: string
  applicationCode: string
  applicationName: string
  /** What mapped it: a setup, or the setting `IDP_ORG_APPLICATIONS`. */
  source: 'setup' | 'setting'
  /** Of the OIDC client at the identity provider; null if the setting mapped it. */
  projectName: string | null
  clientName: string | null
  clientId: string | null
}

/** By organisation and application. */
export async function mappedApplications(): Promise<MappedApplication[]> {
  const mapped = [...(await mappedBySetup()), ...(await mappedBySetting())]
  const keyOf = (one: MappedApplication) => [one.orgId, one.applicationCode, one.clientName ?? '']
  return mapped.sort((one, other) => compare(keyOf(one), keyOf(other)))
}

async function mappedBySetup(): Promise<MappedApplication[]> {
  const rows = await OrganisationApplication.query().preload('application')
  return rows.map(({ organisationId, application, projectName, clientName, clientId }) => ({
    orgId: organisationId,
    ...facts(application),
    source: 'setup',
    projectName,
    clientName,
    clientId,
  }))
}

async function mappedBySetting(): Promise<MappedApplication[]> {
  const entries = [...identityProvider.organisationApplications]
  const codes = entries.map(([, code]) => code)
  const applications = await Application.query().whereIn('code', codes)
  const byCode = new Map(applications.map((application) => [application.code, application]))
  return entries.flatMap(([orgId, code]) => {
    const application = byCode.get(code)
    if (!application) return []
    const client = { projectName: null, clientName: null, clientId: null }
    return [{ orgId, ...facts(application), source: 'setting' as const, ...client }]
  })
}

const facts = ({ code, name }: Application) => ({ applicationCode: code, applicationName: name })

function compare(one: string[], other: string[]): number {
  const index = one.findIndex((text, at) => text !== other[at])
  if (index === -1) return 0
  return one[index] < other[index] ? -1 : 1
}
