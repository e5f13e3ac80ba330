import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { httpUrl } from '#core/validation/fields'
import { authorOfEndpoint } from '#app/notifications/values/push_endpoint'
import { normalizeAuthSecret, normalizePublicKey } from '#app/notifications/values/push_key'

const pushEndpointRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value === 'string' && field.isValid && authorOfEndpoint(value) === null) {
      const message = '{{ field }} must be an https URL of a public host, on port 443 or above 1023'
      field.report(message, 'pushEndpoint', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { description: 'An https URL' }) }
)

const keyRule = vine.createRule(
  (value: unknown, normalize: (text: string) => string | null, field: FieldContext) => {
    const key = typeof value === 'string' ? normalize(value) : null
    if (key === null)
      field.report('{{ field }} must be a key from a browser push subscription', 'pushKey', field)
    else field.mutate(key, field)
  },
  {
    toJSONSchema: (schema) =>
      Object.assign(schema, { description: 'A key from the browser, in base64url' }),
  }
)

const key = (normalize: (text: string) => string | null) =>
  vine.string().maxLength(255).use(keyRule(normalize))

export const subscribeValidator = vine.create({
  subscription: vine.object({
    endpoint: httpUrl().use(pushEndpointRule()),
    keys: vine.object({
      p256dh: key(normalizePublicKey),
      auth: key(normalizeAuthSecret),
    }),
  }),
  deviceLabel: vine.string().maxLength(255).nullable().optional(),
  vapidPublicKey: key(normalizePublicKey).optional(),
})

export const unsubscribeValidator = vine.create({ endpoint: vine.string().maxLength(2_048) })
