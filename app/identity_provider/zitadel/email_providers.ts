import { memberOf, requiredText, resultOf, textOf } from '#app/identity_provider/zitadel/answer'
import { askProvider } from '#app/identity_provider/zitadel/ask_provider'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { Missing, nullOn } from '#app/identity_provider/zitadel/null_on'
import { providerPath } from '#app/identity_provider/zitadel/zitadel_api'
import { ProviderNotSetUp } from '#app/identity_provider/exceptions'

/** See zitadel.md#e-mail-provider-api. */
export interface EmailProvider {
  id: string
  isActive: boolean
  /** Null for an SMTP provider. */
  endpoint: string | null
  signingKey: string | null
}

const READS = { permission: 'iam.read' }
const WRITES = { permission: 'iam.write' }
const DESCRIPTION = 'Concierge'
const notSetUp = { missing: () => new ProviderNotSetUp() }
const nullIfMissing = { missing: () => new Missing() }

export async function listEmailProviders(): Promise<EmailProvider[]> {
  const body = { query: { limit: 100 } }
  const path = '/admin/v1/email/_search'
  const answer = await askProvider({ method: 'POST', path, body, ...READS })
  return resultOf(answer).map((item) => ({
    id: requiredText(item, 'id'),
    isActive: item.state === 'EMAIL_PROVIDER_ACTIVE',
    endpoint: textOf(item.http, 'endpoint'),
    signingKey: textOf(item.http, 'signingKey'),
  }))
}

/** Adds an inactive provider. Some versions return its key only on request, or create it later. */
export async function addEmailProvider(endpoint: string) {
  const path = '/admin/v1/email/http'
  const body = { endpoint, description: DESCRIPTION }
  const answer = await askProvider({ method: 'POST', path, body, ...WRITES })
  const id = requiredText(answer, 'id')
  const signingKey =
    textOf(answer, 'signingKey') ??
    (await readSigningKey(id)) ??
    (await changeEmailProvider(id, endpoint, { rotate: true }))
  return { id, signingKey }
}

/** Returns the new key when `rotate` is set. */
export async function changeEmailProvider(
  id: string,
  endpoint: string,
  options: { rotate: true }
): Promise<string>
export async function changeEmailProvider(
  id: string,
  endpoint: string,
  options: { rotate: boolean }
): Promise<string | null>
export async function changeEmailProvider(
  id: string,
  endpoint: string,
  { rotate }: { rotate: boolean }
) {
  const body = { endpoint, description: DESCRIPTION, ...(rotate && { expirationSigningKey: '0s' }) }
  const path = providerPath`/admin/v1/email/http/${id}`
  const answer = await askProvider({ method: 'PUT', path, body, ...WRITES, ...notSetUp })
  return rotate ? requiredText(answer, 'signingKey') : null
}

export async function activateEmailProvider(id: string) {
  const path = providerPath`/admin/v1/email/${id}/_activate`
  await askProvider({ method: 'POST', path, body: {}, ...WRITES, ...notSetUp })
}

/** Succeeds if it is already gone. */
export async function removeEmailProvider(id: string) {
  const path = providerPath`/admin/v1/email/${id}`
  await nullOn(Missing, () => askProvider({ method: 'DELETE', path, ...WRITES, ...nullIfMissing }))
}

async function readSigningKey(id: string) {
  const path = providerPath`/admin/v1/email/${id}`
  const read = () =>
    nullOn(Missing, async () => {
      const answer = await askProvider({ method: 'GET', path, ...READS, ...nullIfMissing })
      return memberOf(memberOf(answer, 'config'), 'http')
    })
  return textOf(await pollUntil(read, (http) => http !== null), 'signingKey')
}
