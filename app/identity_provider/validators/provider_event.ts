import { DateTime } from 'luxon'
import { invalidField } from '#core/exceptions/problems'
import { parseJson } from '#core/http/parse_json'
import type {
  LifecycleEventType,
  ProviderUserEvent,
} from '#app/identity_provider/values/lifecycle_event'
import { eventPosition } from '#app/identity_provider/values/event_position'
import { toldAddress } from '#app/identity_provider/values/told_address'
import {
  providerEventEmailValidator,
  providerEventPayloadValidator,
  providerEventTypeValidator,
  providerEventValidator,
} from '#app/identity_provider/validators/provider_event_validator'

const WITH_EMAIL = ['user.human.added', 'user.human.selfregistered', 'user.human.email.changed']

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
 * An event in the provider's own form (provider contract, 5.1); null for one this service does not handle.
 *
 * @throws ValidationError, MalformedJson for a payload that cannot be read
 */
export async function readProviderEvent(body: unknown): Promise<ProviderUserEvent | null> {
  const { event_type: name, aggregateType } = await providerEventTypeValidator.validate(body)
  const type = TYPES.get(name)
  if (type === undefined || (aggregateType ?? 'user') !== 'user') return null
  const event = await providerEventValidator.validate(body)
  const payload = readPayload(body)
  return {
    type,
    email: WITH_EMAIL.includes(name) ? await emailOf(payload) : null,
    userId: event.aggregateID,
    orgId: event.resourceOwner || null,
    names:
      type === 'user.created' || name === 'user.human.profile.changed'
        ? await namesOf(payload)
        : {},
    occurredAt: DateTime.fromISO(event.created_at, { zone: 'utc' }),
    position: eventPosition(event.created_at, String(event.sequence)),
  }
}

/** An object in current versions, base64 of its JSON in earlier ones. */
function readPayload(body: unknown): unknown {
  const { event_payload: payload } = body as { event_payload?: unknown }
  if (payload === undefined || payload === null || payload === '') return {}
  const value = typeof payload === 'string' ? parseJson(Buffer.from(payload, 'base64')) : payload
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalidField('event_payload', 'object', 'The payload must be an object, or base64 of one')
}

async function emailOf(payload: unknown) {
  await providerEventEmailValidator.validate(payload)
  return toldAddress((payload as { email: string }).email)
}

/** Those that are stated; an empty one is not. */
async function namesOf(payload: unknown) {
  const { firstName, lastName, displayName } = await providerEventPayloadValidator.validate(payload)
  return {
    firstName: firstName || undefined,
    lastName: lastName || undefined,
    displayName: displayName || undefined,
  }
}
