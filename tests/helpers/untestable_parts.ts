import { operations } from '#tests/helpers/described_operations'
import type { Database } from '#tests/lanes'

type Reasons = [pattern: RegExp, reason: string][]

const ON_SQLITE: Reasons = [[/ \/api\/health\/ready 503$/, 'The database file is always available']]

/** Documented statuses that no test can cause. */
const STATUSES: Reasons = [
  [/ 500$/, 'An unexpected error; problems.spec.ts tests this response'],
  [/ \/metrics 502$/, 'Requires an unresponsive worker, and workers have no pipe to the tests'],
  [
    / \/api\/idp\/(?:webhook|admin\/orgs) 404$/,
    'Requires something to disappear during the request',
  ],
  [/ \/api\/internal\/notifications\/bulk 403$/, 'Items are refused one by one'],
]

/** Documented fields that are null in every response a test can cause. */
const FIELDS: Reasons = [
  [/~1activate\/.*\/lastHookCallAt$/, 'The hook is called only after its provider is active'],
  [
    /\/Operations\/properties\/identityProvider\/properties\/error$/,
    'Requires a provider that fails, but only after the test has signed in with it',
  ],
  [/\/NewWebhook\/.*\/(?:disabled|failing|last)\w+/, 'A new webhook has not failed yet'],
  [/\/id_token_claims\/properties\/(?:jti|nbf)$/, 'Only access tokens have these claims'],
  [
    /\/userapi_verification\/anyOf\/1\//,
    'A provider does not issue tokens that its own keys reject',
  ],
]

export function isUntestableStatus(name: string, status: number, database: Database): boolean {
  const response = operations.get(name)?.operation.responses[status]
  // A race with a concurrent deletion.
  const isRace = response && '$ref' in response && response.$ref.endsWith('/CONFLICT')
  const reasons = database === 'sqlite' ? [...STATUSES, ...ON_SQLITE] : STATUSES
  return isRace || matches(reasons, `${name} ${status}`)
}

export const isUntestableField = (pointer: string) => matches(FIELDS, pointer)

const matches = (reasons: Reasons, text: string) => reasons.some(([pattern]) => pattern.test(text))
