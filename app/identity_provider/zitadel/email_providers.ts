import {
  readObject,
  requireText,
  readResults,
  readText,
} from '#app/identity_provider/zitadel/provider_json'
import { callProvider } from '#app/identity_provider/zitadel/call_provider'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { Missing, nullOnError } from '#app/identity_provider/zitadel/null_on_error'
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
  const response = await callProvider({ method: 'POST', path, body, ...READS })
  return readResults(response).map((item) => ({
    id: requireText(item, 'id'),
    isActive: item.state === 'EMAIL_PROVIDER_ACTIVE',
    endpoint: readText(item.http, 'endpoint'),
    signingKey: readText(item.http, 'signingKey'),
  }))
}

/** Adds an inactive provider. Some versions return its key only on request, or create it later. */
export async function addEmailProvider(endpoint: string) {
  const path = '/admin/v1/email/http'
  const body = { endpoint, description: DESCRIPTION }
  const response = await callProvider({ method: 'POST', path, body, ...WRITES })
  const id = requireText(response, 'id')
  const signingKey =
    readText(response, 'signingKey') ??
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
  const response = await callProvider({ method: 'PUT', path, body, ...WRITES, ...notSetUp })
  return rotate ? requireText(response, 'signingKey') : null
}

/** @returns whether it was not active before */
export async function activateEmailProvider(id: string): Promise<boolean> {
  const path = providerPath`/admin/v1/email/${id}/_activate`
  return (await callProvider({ method: 'POST', path, body: {}, ...WRITES, ...notSetUp })) !== null
}

/** Succeeds if it is already gone. */
export async function removeEmailProvider(id: string) {
  const path = providerPath`/admin/v1/email/${id}`
  await nullOnError(Missing, () =>
    callProvider({ method: 'DELETE', path, ...WRITES, ...nullIfMissing })
  )
}

async function readSigningKey(id: string) {
  const path = providerPath`/admin/v1/email/${id}`
  const read = () =>
    nullOnError(Missing, async () => {
      const response = await callProvider({ method: 'GET', path, ...READS, ...nullIfMissing })
      return readObject(readObject(response, 'config'), 'http')
    })
  return readText(await pollUntil(read, (http) => http !== null), 'signingKey')
}
