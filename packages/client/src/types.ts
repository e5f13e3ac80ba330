import type { components, operations, webhooks } from './api.ts'

export type JsonBody<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

/** What a successful response has in `data`. */
export type JsonData<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } }
}
  ? Data
  : never

/** What a webhook receives, once its signature was verified. */
export type WebhookEvent = {
  [Type in keyof webhooks]: NonNullable<
    webhooks[Type]['post']['requestBody']
  >['content']['application/json']
}[keyof webhooks]

/** `edit` includes `view`. */
export type Level = 'allowed' | 'view' | 'edit'

export type NotificationRequest = JsonBody<operations['delivery.internal_notifications.store']>

/** A resource to catalog. Fields that are left out stay as they are stored. */
export type CataloguedResource = JsonBody<
  operations['internal_resources.resources.update_internal']
>['resources'][number]

export type SavedResources = components['schemas']['SavedResources']

/** Why a message would be delivered as it would, or not. */
export type DeliveryExplanation = components['schemas']['DeliveryExplanation']

/** What was decided when a notification was sent. */
export type RecordedExplanation = components['schemas']['RecordedExplanation']

/** What became of a notification. */
export type SendResult = components['schemas']['SendResult']
