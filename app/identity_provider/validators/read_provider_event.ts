import { DateTime } from 'luxon'
import { invalidField } from '#core/exceptions/problems'
import { parseJson } from '#core/http/parse_json'
import type {
  LifecycleEventType,
  ProviderUserEvent,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'
import { eventPosition } from '#app/identity_provider/user_lifecycle/event_position'
import { parseProviderAddress } from '#app/identity_provider/user_lifecycle/provider_address'
import {
  providerEventEmailValidator,
  providerEventPayloadValidator,
  providerEventTypeValidator,
  providerEventValidator,
} from '#app/identity_provider/validators/provider_event_validator'

const EVENTS_WITH_EMAIL = [
  'user.human.added',
  'user.human.selfregistered',
  'user.human.email.changed',
]

const TYPES = new Map<string, LifecycleEventType>([
  ['user.human.added', 'user.created'],
  ['user.human.selfregistered', 'user.created'],
  ['user.human.profile.changed', 'user.updated'],
  ['user.human.email.changed', 'user.updated'],
  ['user.username.changed', 'user.updated'],
  ['user.deactivated', 'user.deactivated'],
  ['user.reactivated', 'user.reactivated'],
  ['user.locked', 'user.locked'],
  ['user.unlocked', 'user.unlocked'],
  ['user.removed', 'user.removed'],
])

/**
 * Null for an unhandled event (zitadel.md#event-format).
 * @throws ValidationError, MalformedJson for an unreadable payload
 */
export async function readProviderEvent(body: unknown): Promise<ProviderUserEvent | null> {
  const { event_type: name, aggregateType } = await providerEventTypeValidator.validate(body)
  const type = TYPES.get(name)
  if (type === undefined || (aggregateType ?? 'user') !== 'user') return null
  const event = await providerEventValidator.validate(body)
  const payload = readPayload(body)
  return {
    type,
    email: EVENTS_WITH_EMAIL.includes(name) ? await readEmail(payload) : null,
    userId: event.aggregateID,
    orgId: event.resourceOwner || null,
    names:
      type === 'user.created' || name === 'user.human.profile.changed'
        ? await readNames(payload)
        : {},
    occurredAt: DateTime.fromISO(event.created_at, { zone: 'utc' }),
    position: eventPosition(event.created_at, String(event.sequence)),
  }
}

/** Older versions send base64 of the JSON. */
function readPayload(body: unknown): unknown {
  const { event_payload: payload } = body as { event_payload?: unknown }
  if (payload === undefined || payload === null || payload === '') return {}
  const value = typeof payload === 'string' ? parseJson(Buffer.from(payload, 'base64')) : payload
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalidField('event_payload', 'object', 'The payload must be an object, or base64 of one')
}

async function readEmail(payload: unknown) {
  await providerEventEmailValidator.validate(payload)
  return parseProviderAddress((payload as { email: string }).email)
}

/** Empty names mean "not stated". */
async function readNames(payload: unknown) {
  const { firstName, lastName, displayName } = await providerEventPayloadValidator.validate(payload)
  return {
    firstName: firstName || undefined,
    lastName: lastName || undefined,
    displayName: displayName || undefined,
  }
}
