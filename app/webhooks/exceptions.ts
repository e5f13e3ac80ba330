import { defineProblem } from '#core/exceptions/problem'

export const WebhookNotFound = defineProblem('WEBHOOK_NOT_FOUND', 404, 'Webhook not found')
export const TooManyWebhooks = defineProblem(
  'TOO_MANY_WEBHOOKS',
  409,
  'The application has reached its maximum number of webhooks',
  'Delete webhooks that are no longer used. One webhook can receive all types of events.'
)
export const WebhookDisabled = defineProblem(
  'WEBHOOK_DISABLED',
  409,
  'The webhook is disabled, so nothing is sent to it',
  'Enable the webhook first: update it with `enabled: true`.'
)
export const WebhookDeliveryNotFound = defineProblem(
  'WEBHOOK_DELIVERY_NOT_FOUND',
  404,
  'Delivery not found'
)
export const WebhookDeliveryNotReplayable = defineProblem(
  'WEBHOOK_DELIVERY_NOT_REPLAYABLE',
  409,
  'The content of the delivery was removed, so it cannot be sent again',
  'This applies to events that were dropped, and to delivered events about erased users.'
)
