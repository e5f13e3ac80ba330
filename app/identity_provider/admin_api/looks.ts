import { type Answer, memberOf } from '#app/identity_provider/admin_api/answer'
import { askProvider } from '#app/identity_provider/admin_api/ask_provider'
import { OrganisationExists, OrganisationNotFound } from '#app/identity_provider/exceptions'

/** Appearance of an organisation (provider contract 6.5): written as a draft, and shown once it is activated. */

/** What can be written of it; the rest of what is read is the provider's own. */
const WRITABLE = [
  ...['primaryColor', 'backgroundColor', 'warnColor', 'fontColor'],
  ...['primaryColorDark', 'backgroundColorDark', 'warnColorDark', 'fontColorDark'],
  ...['hideLoginNameSuffix', 'disableWatermark', 'themeMode'],
]

const PATH = '/management/v1/policies/label'
const WRITES = { permission: 'policy.write' }

/** Changes the colour and leaves the rest of the look as it is. */
export async function writeColour(organisation: string, primaryColor: string) {
  const read = { method: 'GET', path: PATH, permission: 'policy.read', organisation } as const
  const current = memberOf(await askProvider(read), 'policy')
  const look = { ...writable(current), primaryColor }
  if (current.isDefault === true && (await create(organisation, look))) return
  if (await change(organisation, look)) return
  await create(organisation, look)
}

export async function uploadLogo(organisation: string, logo: Blob) {
  const body = new FormData()
  body.set('file', logo, 'logo')
  const path = '/assets/v1/org/policy/label/logo'
  await askProvider({ method: 'POST', path, body, organisation, ...WRITES })
}

export async function activateLook(organisation: string) {
  const path = `${PATH}/_activate`
  await askProvider({ method: 'POST', path, body: {}, organisation, ...WRITES })
}

/** False when there is one already: what is read lags behind. */
async function create(organisation: string, look: Answer): Promise<boolean> {
  const taken = () => new OrganisationExists()
  const question = { method: 'POST', path: PATH, body: look, organisation, ...WRITES } as const
  return unlessThrown(OrganisationExists, () => askProvider({ ...question, taken }))
}

/** False when there is none. */
async function change(organisation: string, look: Answer): Promise<boolean> {
  const missing = () => new OrganisationNotFound()
  const question = { method: 'PUT', path: PATH, body: look, organisation, ...WRITES } as const
  return unlessThrown(OrganisationNotFound, () => askProvider({ ...question, missing }))
}

async function unlessThrown(kind: new () => Error, work: () => Promise<unknown>) {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof kind) return false
    throw error
  }
}

function writable(policy: Answer): Answer {
  return Object.fromEntries(Object.entries(policy).filter(([name]) => WRITABLE.includes(name)))
}
