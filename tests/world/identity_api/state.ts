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

export interface StoredClient {
  appId: string
  name: string
  clientId: string
  config: Record<string, unknown> & { redirectUris: string[] }
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

let lastId = 300_000_000_000_000_100n

/** Larger than a JavaScript number can represent, so that converting one loses digits. */
export const newId = () => String(++lastId)
