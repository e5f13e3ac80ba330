import { defineProblem } from '#core/exceptions/problem'

export const TooManyNotifications = defineProblem(
  'TOO_MANY_NOTIFICATIONS',
  400,
  'A request can contain at most 100 notifications',
  'Nothing was sent. Split the notifications into several requests.'
)
export const IdempotencyKeyReused = defineProblem(
  'IDEMPOTENCY_KEY_REUSED',
  409,
  'The Idempotency-Key was already used with a different request',
  'Create a new key for each request, and reuse a key only to repeat the same request.'
)
export const IdempotencyKeyInUse = defineProblem(
  'IDEMPOTENCY_KEY_IN_USE',
  409,
  'The first request with this Idempotency-Key is still in progress',
  'Wait until the first request has ended, then repeat this one with the same key.'
)
export const AlreadySent = defineProblem(
  'ALREADY_SENT',
  409,
  'Only a notification that is still scheduled can be cancelled',
  'The notification was already sent, skipped, cancelled or part of a digest, or it failed, or it is being sent now. `details.status` is its status.'
)
export const UnsubscribeLinkInvalid = defineProblem(
  'UNSUBSCRIBE_LINK_INVALID',
  404,
  'The unsubscribe link is invalid'
)
export const TypeNotOptional = defineProblem(
  'TYPE_NOT_OPTIONAL',
  403,
  'Users cannot unsubscribe from this notification type'
)
export const NotificationNotFailed = defineProblem(
  'NOTIFICATION_NOT_FAILED',
  409,
  'Only a notification that has failed can be sent again',
  'The notification was sent or skipped, or the service is still trying to send it. Read its log entry.'
)
export const NotResendable = defineProblem(
  'NOT_RESENDABLE',
  409,
  'This notification cannot be sent again',
  'The notification belongs to a system type or contains sensitive variables, or its type was deleted or its recipient erased. Codes and links expire, so request a new message from its source.'
)
