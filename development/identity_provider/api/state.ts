/** The state of the stand-in, under the API's names. */
export interface StoredProfile {
  givenName?: string
  familyName?: string
  displayName?: string
  preferredLanguage?: string
}

export interface StoredUser {
  userId: string
  orgId: string
  kind: 'human' | 'machine'
  state: 'ACTIVE' | 'INACTIVE' | 'DELETED' | 'LOCKED' | 'INITIAL'
  username: string
  email: string
  isVerified: boolean
  profile: StoredProfile
  creationDate: string
  changeDate: string
}

export interface StoredOrganisation {
  id: string
  name: string
  domains: string[]
  state: 'ACTIVE' | 'INACTIVE'
}

export type LabelPolicy = Record<string, string | boolean>

export interface StoredPolicy {
  /** Not visible until it is activated. */
  draft: LabelPolicy
  active?: LabelPolicy
}

export interface Asset {
  contentType: string
  bytes: number
}

export type ClientConfig = Record<string, unknown> & {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
}

export interface StoredClient {
  appId: string
  name: string
  clientId: string
  config: ClientConfig
}

export interface StoredProject {
  id: string
  orgId: string
  name: string
  settings: Record<string, unknown>
  clients: StoredClient[]
}

export interface StoredEmailProvider {
  id: string
  isActive: boolean
  description: string
  http?: { endpoint: string; signingKey?: string }
  smtp?: { host: string }
}

export interface State {
  users: Map<string, StoredUser>
  organisations: Map<string, StoredOrganisation>
  policies: Map<string, StoredPolicy>
  /** By organisation. */
  logos: Map<string, { draft: Asset; active?: Asset }>
  projects: Map<string, StoredProject>
  emailProviders: Map<string, StoredEmailProvider>
}

export const emptyState = (): State => ({
  users: new Map(),
  organisations: new Map(),
  policies: new Map(),
  logos: new Map(),
  projects: new Map(),
  emailProviders: new Map(),
})

/** A user of the stand-in; the fields replace the defaults. */
export function newUser(fields: Partial<StoredUser> & { orgId: string }): StoredUser {
  const { userId = newId(), creationDate = new Date().toISOString() } = fields
  const { email = `user-${userId}@tests.example` } = fields
  return {
    userId,
    kind: 'human',
    state: 'ACTIVE',
    username: email,
    email,
    isVerified: true,
    profile: { givenName: 'Old', familyName: 'Name', displayName: 'Old Name' },
    creationDate,
    changeDate: creationDate,
    ...fields,
  }
}

const IDS_SINCE = Date.UTC(2026, 0)

/** Starts with the time, so that ids issued by an earlier process are not repeated. */
let lastId = 300_000_000_000_000_000n + BigInt(Date.now() - IDS_SINCE) * 1_000n

/** Larger than a JavaScript number can represent, so that converting one loses digits. */
export const newId = () => String(++lastId)
