import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { signedIn } from '#tests/helpers/people'
import { INTERNAL_KEY, WEBHOOK_SECRET } from '#tests/world/prepare'

/** A time in whole seconds, like those of tokens; negative for the past. */
export function minutesFromNow(minutes: number) {
  const seconds = Math.floor(Date.now() / 1000) + Math.round(minutes * 60)
  return { seconds, iso: new Date(seconds * 1000).toISOString() }
}

export interface NameClaims {
  given_name?: string
  family_name?: string
  name?: string
}

/** A client whose token has this time and these names. */
export function withNames(
  client: ApiClient,
  email: string,
  names: NameClaims,
  issuedAt = minutesFromNow(0)
) {
  return signedIn(client, email, { claims: { ...names, iat: issuedAt.seconds } })
}

/** Reads a profile with an old token without names, so that reading changes nothing. */
export async function profileOf(client: ApiClient, email: string) {
  const { seconds: iat } = minutesFromNow(-60 * 24 * 365)
  const known = await User.findBy({ email })
  // Keeps the account that the provider reported.
  const account = known?.idpUserId ? { sub: known.idpUserId } : {}
  const reader = signedIn(client, email, { claims: { iat, ...account } })
  const response = await reader.get('/api/profile/me')
  response.assertStatus(200)
  return response.body().data
}

export async function namesOf(client: ApiClient, email: string) {
  const { firstName, lastName, displayName } = await profileOf(client, email)
  return [firstName, lastName, displayName]
}

/** Reports names that the login UI wrote at the identity provider. */
export function syncNames(
  client: ApiClient,
  body: {
    email: string
    firstName?: string
    lastName?: string
    displayName?: string
    changedAt?: string
  }
) {
  return client
    .put('/api/internal/auth/profile-sync')
    .header('x-internal-api-key', INTERNAL_KEY)
    .json(body)
}

export interface WebhookEvent {
  eventType: string
  orgId?: string
  occurredAt?: string
  eventId?: string
  user: {
    id?: string
    email: string
    firstName?: string
    lastName?: string
    displayName?: string
  }
}

export function webhook(client: ApiClient, event: WebhookEvent) {
  return client.post('/api/idp/webhook').header('x-webhook-secret', WEBHOOK_SECRET).json(event)
}

export function applicationEvent(
  client: ApiClient,
  body: { email: string; appCode: string; event: string }
) {
  return client
    .post('/api/internal/auth/application-events')
    .header('x-internal-api-key', INTERNAL_KEY)
    .json(body)
}
