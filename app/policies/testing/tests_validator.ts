import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { code, email, flag, label, timestamp } from '#core/validation/fields'
import { anyObject } from '#core/validation/json_fields'
import {
  MAX_RESOURCE_ID_LENGTH,
  MAX_RESOURCE_TYPE_LENGTH,
  accessLevel,
} from '#app/permissions/values/fields'

const SOURCES = ['role', 'override', 'app_admin', 'superadmin'] as const

const resourceType = () => vine.string().minLength(1).maxLength(MAX_RESOURCE_TYPE_LENGTH)
const resourceId = () => vine.string().minLength(1).maxLength(MAX_RESOURCE_ID_LENGTH)

const override = vine.object({
  permission: code(),
  resourceType: resourceType(),
  resourceId: resourceId(),
  granted: flag(),
  accessLevel: accessLevel().nullable().optional(),
})

const user = vine.object({
  roles: vine.array(code()).maxLength(500).optional(),
  overrides: vine.array(override).maxLength(1_000).optional(),
  administrator: flag().optional(),
  superAdmin: flag().optional(),
  inactive: flag().optional(),
})

const resource = vine.object({
  type: resourceType(),
  id: resourceId(),
  properties: anyObject().optional(),
})

const given = vine.object({
  users: vine.record(user).maxLength(1_000).optional(),
  resources: vine.array(resource).maxLength(1_000).optional(),
  now: timestamp().optional(),
})

const attributes = vine.object({
  subject: anyObject().optional(),
  resource: anyObject().optional(),
  action: anyObject().optional(),
  context: anyObject().optional(),
})

const expectation = vine.object({
  user: email(),
  permission: code(),
  level: accessLevel().optional(),
  resource: vine.object({ type: resourceType(), id: resourceId() }).optional(),
  attributes: attributes.optional(),
  allowed: flag(),
  source: vine.enum(SOURCES).nullable().optional(),
  because: vine.string().minLength(1).maxLength(1_000).optional(),
})

const test = vine.object({
  name: label(),
  given: given.optional(),
  expect: vine.array(expectation).minLength(1).maxLength(1_000),
})

/** See policy.md#tests. */
export const testsValidator = vine.create({
  tests: vine.array(test).minLength(1).maxLength(1_000).distinct('name'),
})

export type PolicyTests = Infer<typeof testsValidator>
export type PolicyTest = PolicyTests['tests'][number]
export type Expectation = PolicyTest['expect'][number]
export type GivenUser = NonNullable<NonNullable<PolicyTest['given']>['users']>[string]
