import { usesPostgres } from '#core/database/dialect'
import { operations } from '#tests/helpers/described_operations'

type Reasons = [pattern: RegExp, reason: string][]

const ON_SQLITE: Reasons = [[/ \/api\/health\/ready 503$/, 'Its file does not go away']]

/** Described statuses that no test can be asked to see. */
const STATUSES: Reasons = [
  [/ 500$/, 'A fault nobody knows of; problems.spec.ts shows that any becomes this answer'],
  [/ \/metrics 502$/, 'It takes a worker that keeps silent, and workers have no pipe to the tests'],
  [/ \/api\/idp\/(?:webhook|admin\/orgs) 404$/, 'What it has just found or made is gone at once'],
  [/ \/api\/internal\/notifications\/bulk 403$/, 'Each item is refused by itself'],
  ...(usesPostgres() ? [] : ON_SQLITE),
]

/** Fields that are null in every answer a test can be asked to see, by their place in the description. */
const FIELDS: Reasons = [
  [/~1activate\/.*\/lastHookCallAt$/, 'A hook is called only after its provider is active'],
  [/\/id_token_claims\/properties\/(?:jti|nbf)$/, 'The claims of access tokens have them'],
  [/\/userapi_verification\/anyOf\/1\//, 'No provider signs what its own key set refuses'],
]

/** Whether a described status takes more than a test can do. */
export function isStatusBeyondTests(name: string, status: number): boolean {
  const response = operations.get(name)?.operation.responses[status]
  // It takes somebody who deletes what the request builds on while it is answered.
  const isRace = response && '$ref' in response && response.$ref.endsWith('/CONFLICT')
  return isRace || matches(STATUSES, `${name} ${status}`)
}

export const isFieldBeyondTests = (pointer: string) => matches(FIELDS, pointer)

const matches = (reasons: Reasons, text: string) => reasons.some(([pattern]) => pattern.test(text))
