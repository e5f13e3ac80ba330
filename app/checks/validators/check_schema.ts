import vine from '@vinejs/vine'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'
import { email } from '#core/validation/fields'
import { anyObject, maxJsonBytes } from '#core/validation/json_fields'
import { MAX_PERMISSIONS } from '#app/checks/validators/check_request'
import { MAX_ATTRIBUTE_BYTES, MAX_TEXT_LENGTH } from '#app/checks/validators/request_fields'

// The bodies that `CheckRequest` validates, for the API description.
export const text = () => vine.string().minLength(1).maxLength(MAX_TEXT_LENGTH)
const optionalText = () => text().optional()

export const attributes = vine
  .object({
    subject: anyObject().optional(),
    resource: anyObject().optional(),
    action: anyObject().optional(),
    context: anyObject().optional(),
  })
  .use(maxJsonBytes(MAX_ATTRIBUTE_BYTES))
  .optional()
export const resource = { resourceType: optionalText(), resourceId: optionalText(), attributes }
const scope = { app: text(), ...resource }
export const level = { level: vine.enum(ACCESS_LEVELS).optional() }

export const subject = vine.create({ email: email() })

export const singleCheck = vine.create({ ...scope, permission: text(), ...level })

export const bulkCheck = vine.create({
  ...scope,
  permissions: vine.array(text()).maxLength(MAX_PERMISSIONS),
  ...level,
})

export const effectiveCheck = vine.create({ ...scope })

export const accessQuestion = vine.create({ ...resource, permission: text(), ...level })

export const accessScope = vine.create({ ...resource })
