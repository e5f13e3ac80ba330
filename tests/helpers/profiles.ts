import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { signedIn } from '#tests/helpers/people'
import { INTERNAL_KEY, WEBHOOK_SECRET } from '#tests/world/prepare'

/** A moment in whole seconds, as tokens know them, some minutes from now; negative for the past. */
export function minutesFromNow(minutes: number) {
  const seconds = Math.floor(Date.now() / 1000) + Math.round(minutes * 60)
  return { seconds, iso: new Date(seconds * 1000).toISOString() }
}

export interface NameClaims {
  given_name?: string
  family_name?: string
  name?: string
}

/** A client whose token was issued at that moment and states those names. */
export function withNames(
  client: ApiClient,
  email: string,
  names: NameClaims,
  issuedAt = minutesFromNow(0)
) {
  return signedIn(client, email, { claims: { ...names, iat: issuedAt.seconds } })
}

/** The person's profile, read with a token that is old and states no names, so that reading changes nothing. */
export async function profileOf(client: ApiClient, email: string) {
  const { seconds: iat } = minutesFromNow(-60 * 24 * 365)
  const known = await User.findBy({ email })
  // Of the account that the provider told of, where it told of one.
  const account = known?.idpUserId ? { sub: known.idpUserId } : {}
  const reader = signedIn(client, email, { claims: { iat, ...account } })
  const response = await reader.get('/api/profile/me')
  response.assertStatus(200)
  return response.body().data
}

/** First, last and display name of a profile. */
export async function namesOf(client: ApiClient, email: string) {
  const { firstName, lastName, displayName } = await profileOf(client, email)
  return [firstName, lastName, displayName]
}

/** Names that the login UI has just written at the identity provider. */
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

/** An event of the identity provider. */
export function webhook(client: ApiClient, event: WebhookEvent) {
  return client.post('/api/idp/webhook').header('x-webhook-secret', WEBHOOK_SECRET).json(event)
}

/** What an application's server reports of its user. */
export function applicationEvent(
  client: ApiClient,
  body: { email: string; appCode: string; event: string }
) {
  return client
    .post('/api/internal/auth/application-events')
    .header('x-internal-api-key', INTERNAL_KEY)
    .json(body)
}
