import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { label, notNull } from '#core/validation/fields'
import { isInstanceUrl } from '#app/applications/values/instance_url'

const instanceUrlRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!field.isValid || typeof value !== 'string' || isInstanceUrl(value)) return
    field.report(
      'The {{ field }} field must be an https URL in ASCII without credentials, fragment or *; outside production also http on localhost',
      'instanceUrl',
      field
    )
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'uri', pattern: '^https?://' }) }
)

const instanceUrl = () => vine.string().maxLength(2_048).use(instanceUrlRule())
const instanceUrls = () => vine.array(instanceUrl()).maxLength(100).use(notNull()).optional()

export const createInstanceValidator = vine.create({
  name: label(),
  baseUrl: instanceUrl(),
  callbackUrls: instanceUrls(),
  postLogoutUrls: instanceUrls(),
})

export const updateInstanceValidator = vine.create({
  name: label().use(notNull()).optional(),
  baseUrl: instanceUrl().use(notNull()).optional(),
  callbackUrls: instanceUrls(),
  postLogoutUrls: instanceUrls(),
})

const seenUrl = () => vine.string().maxLength(2_048)
const seenUrls = () => vine.array(seenUrl()).maxLength(100).optional()

/** Compared, never stored: URLs from before the present rules can be named, too. */
export const approveInstanceValidator = vine.create({
  baseUrl: seenUrl().optional(),
  callbackUrls: seenUrls(),
  postLogoutUrls: seenUrls(),
})
