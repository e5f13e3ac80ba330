import vine from '@vinejs/vine'
import { email } from '#core/validation/fields'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'
import { MAX_PERMISSIONS, MAX_TEXT_LENGTH } from '#app/checks/validators/check_request'

// The bodies that `CheckRequest` validates, for the API description.
const text = () => vine.string().minLength(1).maxLength(MAX_TEXT_LENGTH)
const optionalText = () => text().optional()

const resource = { resourceType: optionalText(), resourceId: optionalText() }
const scope = { app: text(), ...resource }
const level = { level: vine.enum(ACCESS_LEVELS).optional() }

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
