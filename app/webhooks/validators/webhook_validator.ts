import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { pagingFields } from '#core/http/paging'
import { flag, httpUrl } from '#core/validation/fields'
import { queryText } from '#core/validation/query_fields'
import { DELIVERY_STATUSES } from '#app/webhooks/values/delivery_status'
import { EVENT_TYPES } from '#app/webhooks/values/event_types'
import { authorOfWebhookUrl } from '#app/webhooks/values/webhook_url'

const webhookUrlRule = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (!field.isValid || typeof value !== 'string' || authorOfWebhookUrl(value)) return
  field.report(
    '{{ field }} must be an https URL of a public address without credentials; outside production, http on localhost is also allowed',
    'webhookUrl',
    field
  )
})

const url = () => httpUrl().use(webhookUrlRule())
const events = () =>
  vine.array(vine.enum(EVENT_TYPES)).minLength(1).maxLength(EVENT_TYPES.length).distinct()

export const createWebhookValidator = vine.create({
  url: url(),
  events: events(),
  enabled: flag().optional(),
})

export const updateWebhookValidator = vine.create({
  url: url().optional(),
  events: events().optional(),
  enabled: flag().optional(),
})

export const deliveryListValidator = vine.create({
  ...pagingFields,
  status: vine.enum(DELIVERY_STATUSES).optional(),
  type: queryText(64).optional(),
})
