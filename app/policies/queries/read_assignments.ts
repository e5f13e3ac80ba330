import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { columnsOf, plainRows } from '#core/database/plain_rows'
import type { Turns } from '#core/values/turns'
import type Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import UserRole from '#app/permissions/models/user_role'
import type { TimeWindow } from '#app/permissions/values/time_window'
import { PolicyTooLarge } from '#app/policies/exceptions'
import { MAX_ASSIGNMENTS } from '#app/policies/validators/policy_validator'

const WINDOW = ['validFrom', 'validUntil'] as const
const ROLE = ['email', 'roleId', ...WINDOW] as const
const OVERRIDE = [
  'email',
  'resourceType',
  'resourceId',
  'permissionId',
  'granted',
  'accessLevel',
  'condition',
  ...WINDOW,
] as const

/** Of the conditions, with the ids of their resources. */
const MAX_OVERRIDE_BYTES = 8_388_608

/** The codes of what rows refer to, by their ids. */
interface Codes {
  roles: ReadonlyMap<number, string>
  permissions: ReadonlyMap<number, string>
}

/** Reads who has what in an application, also outside its time window. */
export async function readAssignments(
  application: Application,
  codes: Codes,
  { turns, trx }: { turns: Turns; trx: TransactionClientContract }
) {
  const roles = await plainRows(heldRoles(application, trx).select(...columnsOf(UserRole, ROLE)))
  if (turns.isOver) await turns.next()
  const overrides = await plainRows(
    overridesOf(application, trx).select(...columnsOf(ResourceOverride, OVERRIDE))
  )
  if (turns.isOver) await turns.next()
  const administrators = await plainRows(
    ApplicationAdmin.query({ client: trx }).where('applicationId', application.id)
  )
  return {
    roles: roles.map((row) => ({
      email: row.email,
      role: codes.roles.get(row.roleId)!,
      ...windowOf(row),
    })),
    overrides: overrides.map((row) => ({
      email: row.email,
      resourceType: row.resourceType,
      resourceId: row.resourceId,
      permission: codes.permissions.get(row.permissionId)!,
      granted: row.granted,
      accessLevel: row.accessLevel,
      condition: row.condition,
      ...windowOf(row),
    })),
    administrators: administrators.map((row) => ({ email: row.email, ...windowOf(row) })),
  }
}

/** @throws PolicyTooLarge, before anything large is read */
export async function requireFewAssignments(
  application: Application,
  trx: TransactionClientContract
) {
  const lists = {
    roles: heldRoles(application, trx),
    overrides: overridesOf(application, trx),
  }
  for (const [of, rows] of Object.entries(lists)) {
    // There can be millions, so they are not counted.
    const beyond = await rows.select('id').offset(MAX_ASSIGNMENTS).limit(1).pojo()
    if (beyond.length === 0) continue
    throw new PolicyTooLarge({ details: { limit: MAX_ASSIGNMENTS, of: `assignments.${of}` } })
  }
  const size = trx.raw(
    'sum(coalesce(octet_length(condition), 0) + octet_length(resource_id)) as bytes'
  )
  const [{ bytes }] = await overridesOf(application, trx)
    .select(size)
    .pojo<{ bytes: number | string | null }>()
  if (Number(bytes) > MAX_OVERRIDE_BYTES) {
    throw new PolicyTooLarge({ details: { limit: MAX_OVERRIDE_BYTES, of: 'bytes of overrides' } })
  }
}

const heldRoles = ({ id }: Application, client: TransactionClientContract) =>
  UserRole.query({ client }).whereIn('roleId', (own) =>
    own.from('roles').where('application_id', id).select('id')
  )

const overridesOf = ({ id }: Application, client: TransactionClientContract) =>
  ResourceOverride.query({ client }).whereIn('permissionId', (own) =>
    own.from('permissions').where('application_id', id).select('id')
  )

/** Stored timestamps are valid. */
const windowOf = ({ validFrom, validUntil }: Readonly<TimeWindow>) => ({
  validFrom: validFrom as DateTime<true> | null,
  validUntil: validUntil as DateTime<true> | null,
})
