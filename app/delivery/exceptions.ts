import { defineProblem } from '#core/exceptions/problem'

export const TooManyNotifications = defineProblem(
  'TOO_MANY_NOTIFICATIONS',
  400,
  'One request takes at most 100 notifications; none of these was sent',
  'Split the notifications over several requests.'
)
export const IdempotencyKeyReused = defineProblem(
  'IDEMPOTENCY_KEY_REUSED',
  409,
  'The Idempotency-Key was used with another request',
  'Make a new key for each new request; repeat a request with its own key only.'
)
export const IdempotencyKeyInUse = defineProblem(
  'IDEMPOTENCY_KEY_IN_USE',
  409,
  'The first request with this Idempotency-Key is still under way',
  'Wait for the first request to end, then repeat this one with the same key.'
)
export const UnsubscribeLinkInvalid = defineProblem(
  'UNSUBSCRIBE_LINK_INVALID',
  404,
  'This link does not unsubscribe anybody from anything'
)
export const TypeNotOptional = defineProblem(
  'TYPE_NOT_OPTIONAL',
  403,
  'Notifications of this type cannot be switched off'
)
