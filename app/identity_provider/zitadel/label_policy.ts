import { type JsonObject, readObject, readText } from '#app/identity_provider/zitadel/provider_json'
import { callProvider } from '#app/identity_provider/zitadel/call_provider'
import { Missing, Taken, nullOnError } from '#app/identity_provider/zitadel/null_on_error'

/** The branding of an organisation (zitadel.md#branding-api), a draft until it is activated. */

const WRITABLE = [
  'primaryColor',
  'backgroundColor',
  'warnColor',
  'fontColor',
  'primaryColorDark',
  'backgroundColorDark',
  'warnColorDark',
  'fontColorDark',
  'hideLoginNameSuffix',
  'disableWatermark',
  'themeMode',
]

const PATH = '/management/v1/policies/label'
const WRITES = { permission: 'policy.write' }

/** What users see at the identity provider. Null is the provider's own choice. */
export interface Appearance {
  /** Whether the organisation has no branding of its own. */
  isDefault: boolean
  primaryColor: string | null
  backgroundColor: string | null
  fontColor: string | null
  warnColor: string | null
  primaryColorDark: string | null
  backgroundColorDark: string | null
  fontColorDark: string | null
  warnColorDark: string | null
  logoUrl: string | null
}

/** What is active. */
export async function readAppearance(organisation: string): Promise<Appearance> {
  const policy = await readLabelPolicy(organisation)
  const read = (name: keyof Appearance) => readText(policy, name)
  return {
    isDefault: policy.isDefault === true,
    primaryColor: read('primaryColor'),
    backgroundColor: read('backgroundColor'),
    fontColor: read('fontColor'),
    warnColor: read('warnColor'),
    primaryColorDark: read('primaryColorDark'),
    backgroundColorDark: read('backgroundColorDark'),
    fontColorDark: read('fontColorDark'),
    warnColorDark: read('warnColorDark'),
    logoUrl: read('logoUrl'),
  }
}

/** Keeps the other fields of the current policy. */
export async function writePrimaryColor(
  organisation: string,
  current: JsonObject,
  primaryColor: string
) {
  const policy = { ...writableFields(current), primaryColor }
  if (current.isDefault === true && (await createPolicy(organisation, policy))) return
  if (await updatePolicy(organisation, policy)) return
  await createPolicy(organisation, policy)
}

export async function readLabelPolicy(organisation: string): Promise<JsonObject> {
  const read = { method: 'GET', path: PATH, permission: 'policy.read', organisation } as const
  return readObject(await callProvider(read), 'policy')
}

export async function uploadLogo(organisation: string, logo: Blob) {
  const body = new FormData()
  body.set('file', logo, 'logo')
  const path = '/assets/v1/org/policy/label/logo'
  await callProvider({ method: 'POST', path, body, organisation, ...WRITES })
}

export async function activateLabelPolicy(organisation: string) {
  const path = `${PATH}/_activate`
  await callProvider({ method: 'POST', path, body: {}, organisation, ...WRITES })
}

/** False if it already exists: reads lag behind writes. */
async function createPolicy(organisation: string, policy: JsonObject): Promise<boolean> {
  const taken = () => new Taken()
  const question = { method: 'POST', path: PATH, body: policy, organisation, ...WRITES } as const
  return succeeds(Taken, () => callProvider({ ...question, taken }))
}

/** False if there is none. */
async function updatePolicy(organisation: string, policy: JsonObject): Promise<boolean> {
  const missing = () => new Missing()
  const question = { method: 'PUT', path: PATH, body: policy, organisation, ...WRITES } as const
  return succeeds(Missing, () => callProvider({ ...question, missing }))
}

async function succeeds(refusal: new () => Error, work: () => Promise<unknown>) {
  const done = await nullOnError(refusal, async () => {
    await work()
    return true
  })
  return done !== null
}

function writableFields(response: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(response).filter(([name]) => WRITABLE.includes(name)))
}
