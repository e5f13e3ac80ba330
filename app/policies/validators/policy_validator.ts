import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { code, email, flag, label, slug } from '#core/validation/fields'
import { entityFields } from '#app/applications/values/entity_fields'
import { templateFields, typeFields, versionFields } from '#app/notifications/values/fields'
import { condition } from '#app/permissions/values/condition_field'
import {
  MAX_RESOURCE_ID_LENGTH,
  MAX_RESOURCE_TYPE_LENGTH,
  accessLevel,
  global,
  permissionTexts,
  permissionType,
  roleTexts,
  window,
} from '#app/permissions/values/fields'

/** Of each list of assignments. */
export const MAX_ASSIGNMENTS = 10_000

const permission = vine.object({
  code: code(),
  type: permissionType(),
  ...permissionTexts,
  parent: code().nullable().optional(),
  global: global(),
})

const role = vine.object({
  code: code(),
  ...roleTexts,
  permissions: vine
    .array(
      vine.object({
        permission: code(),
        accessLevel: accessLevel(),
        condition: condition().nullable().optional(),
      })
    )
    .maxLength(2_000)
    .distinct('permission')
    .optional(),
})

const entity = vine.object({ code: code(), name: label(), ...entityFields })

const version = vine.object({ locale: vine.string().minLength(1).maxLength(35), ...versionFields })

const template = vine.object({
  key: code(),
  name: label(),
  ...templateFields,
  versions: vine.array(version).maxLength(200).distinct('locale').optional(),
})

const notificationType = vine.object({
  code: code(),
  name: label(),
  ...typeFields,
  templates: vine.array(template).maxLength(500).distinct('key').optional(),
})

const roleAssignment = vine.object({ email: email(), role: code(), ...window })

const override = vine.object({
  email: email(),
  resourceType: vine.string().minLength(1).maxLength(MAX_RESOURCE_TYPE_LENGTH),
  resourceId: vine.string().minLength(1).maxLength(MAX_RESOURCE_ID_LENGTH),
  permission: code(),
  granted: flag(),
  accessLevel: accessLevel().nullable().optional(),
  condition: condition().nullable().optional(),
  ...window,
})

const administrator = vine.object({ email: email(), ...window })

const assignments = vine.object({
  roles: vine.array(roleAssignment).maxLength(MAX_ASSIGNMENTS).optional(),
  overrides: vine.array(override).maxLength(MAX_ASSIGNMENTS).optional(),
  administrators: vine.array(administrator).maxLength(500).optional(),
})

/** See policy.md#document. The published JSON Schema is made from it. */
export const policyValidator = vine.create({
  application: slug(),
  permissions: vine.array(permission).maxLength(2_000).distinct('code').optional(),
  roles: vine.array(role).maxLength(500).distinct('code').optional(),
  entities: vine.array(entity).maxLength(200).distinct('code').optional(),
  notificationTypes: vine.array(notificationType).maxLength(500).distinct('code').optional(),
  assignments: assignments.optional(),
})

export type ValidPolicy = Infer<typeof policyValidator>
