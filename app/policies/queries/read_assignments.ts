import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import UserRole from '#app/permissions/models/user_role'
import type { TimeWindow } from '#app/permissions/values/time_window'
import { PolicyTooLarge } from '#app/policies/exceptions'
import { MAX_ASSIGNMENTS } from '#app/policies/validators/policy_validator'

/**
 * Reads who has what in an application, also outside its time window.
 * @throws PolicyTooLarge
 */
export async function readAssignments(application: Application, client: TransactionClientContract) {
  const { id: applicationId } = application
  const limit = MAX_ASSIGNMENTS + 1
  const roles = await UserRole.query({ client })
    .whereIn('roleId', (own) =>
      own.from('roles').where('application_id', applicationId).select('id')
    )
    .preload('role')
    .limit(limit)
  const overrides = await ResourceOverride.query({ client })
    .whereIn('permissionId', (own) =>
      own.from('permissions').where('application_id', applicationId).select('id')
    )
    .preload('permission')
    .limit(limit)
  const administrators = await ApplicationAdmin.query({ client }).where({ applicationId })
  for (const [of, rows] of Object.entries({ roles, overrides })) {
    if (rows.length < limit) continue
    throw new PolicyTooLarge({ details: { limit: MAX_ASSIGNMENTS, of: `assignments.${of}` } })
  }
  return {
    roles: roles.map((row) => ({ email: row.email, role: row.role.code, ...windowOf(row) })),
    overrides: overrides.map((row) => ({
      email: row.email,
      resourceType: row.resourceType,
      resourceId: row.resourceId,
      permission: row.permission.code,
      granted: row.granted,
      accessLevel: row.accessLevel,
      condition: row.condition,
      ...windowOf(row),
    })),
    administrators: administrators.map((row) => ({ email: row.email, ...windowOf(row) })),
  }
}

/** Stored timestamps are valid. */
const windowOf = ({ validFrom, validUntil }: TimeWindow) => ({
  validFrom: validFrom as DateTime<true> | null,
  validUntil: validUntil as DateTime<true> | null,
})
