import { usesPostgres } from '#core/database/dialect'
import { operations } from '#tests/helpers/described_operations'

type Reasons = [pattern: RegExp, reason: string][]

const ON_SQLITE: Reasons = [[/ \/api\/health\/ready 503$/, 'Its file does not go away']]

/** Documented statuses that no test can cause. */
const STATUSES: Reasons = [
  [/ 500$/, 'A fault nobody knows of; problems.spec.ts shows that any becomes this answer'],
  [/ \/metrics 502$/, 'It takes a worker that keeps silent, and workers have no pipe to the tests'],
  [/ \/api\/idp\/(?:webhook|admin\/orgs) 404$/, 'What it has just found or made is gone at once'],
  [/ \/api\/internal\/notifications\/bulk 403$/, 'Each item is refused by itself'],
  ...(usesPostgres() ? [] : ON_SQLITE),
]

/** Documented fields that are null in every response a test can cause. */
const FIELDS: Reasons = [
  [/~1activate\/.*\/lastHookCallAt$/, 'A hook is called only after its provider is active'],
  [/\/id_token_claims\/properties\/(?:jti|nbf)$/, 'The claims of access tokens have them'],
  [/\/userapi_verification\/anyOf\/1\//, 'No provider signs what its own key set refuses'],
]

export function isStatusBeyondTests(name: string, status: number): boolean {
  const response = operations.get(name)?.operation.responses[status]
  // A race with a concurrent deletion.
  const isRace = response && '$ref' in response && response.$ref.endsWith('/CONFLICT')
  return isRace || matches(STATUSES, `${name} ${status}`)
}

export const isFieldBeyondTests = (pointer: string) => matches(FIELDS, pointer)

const matches = (reasons: Reasons, text: string) => reasons.some(([pattern]) => pattern.test(text))
