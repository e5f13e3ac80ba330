import { usesPostgres } from '#core/database/dialect'
import {
  type FactsRow,
  everyPermission,
  onePermission,
  somePermissions,
} from '#app/checks/queries/facts_queries'
import type { AccessFacts } from '#app/checks/values/access_facts'
import type { CheckScope } from '#app/checks/values/check_scope'
import { levelOfRank } from '#app/permissions/values/access_level'

/** Reads the facts of these permissions in one query. Leaves out unknown permissions. */
export async function readFacts(scope: CheckScope, permissions: string[]): Promise<AccessFacts> {
  if (permissions.length === 1) {
    return toFacts(await onePermission.all([...scopeParameters(scope), permissions[0]]))
  }
  return usesPostgres()
    ? toFacts(await somePermissions.postgres.all([...scopeParameters(scope), permissions]))
    : toFacts(
        await somePermissions.sqlite.all([...scopeParameters(scope), JSON.stringify(permissions)])
      )
}

export async function readAllFacts(scope: CheckScope): Promise<AccessFacts> {
  return toFacts(await everyPermission.all(scopeParameters(scope)))
}

function scopeParameters({ email, app, resourceType, resourceId }: CheckScope) {
  return [email, app, resourceType, resourceId]
}

function toFacts(rows: FactsRow[]): AccessFacts {
  const [{ active, super_admin: superAdmin, application_admin: applicationAdmin }] = rows
  const facts: AccessFacts = {
    active: active === null ? null : Boolean(active),
    superAdmin: Boolean(superAdmin),
    applicationAdmin: Boolean(applicationAdmin),
    permissions: new Map(),
  }
  for (const row of rows) {
    if (row.code === null) continue
    facts.permissions.set(row.code, {
      code: row.code,
      type: row.type,
      global: Boolean(row.global),
      groupName: row.group_name,
      roleLevel: levelOfRank(row.role_rank),
      override:
        row.granted === null ? null : { granted: Boolean(row.granted), level: row.override_level },
    })
  }
  return facts
}
