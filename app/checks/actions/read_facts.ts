import { parseDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { readInParts } from '#app/checks/actions/read_facts_in_parts'
import {
  type FactsRow,
  type ManyFactsQuery,
  everyPermission,
  onePermission,
  somePermissions,
} from '#app/checks/queries/facts_queries'
import type {
  AccessFacts,
  ConditionalGrant,
  PermissionFacts,
} from '#app/checks/values/access_facts'
import type { CheckScope } from '#app/checks/values/check_scope'
import { databaseMoment } from '#core/database/active_rows'
import { levelOfRank } from '#app/permissions/values/access_level'
import { currentTime } from '#core/values/clock'

const NONE: ConditionalGrant[] = []

/**
 * Reads the facts of these permissions in one query. Leaves out unknown permissions.
 *
 * @param now for time windows, in milliseconds
 */
export async function readFacts(
  scope: CheckScope,
  permissions: string[],
  now = currentTime()
): Promise<AccessFacts> {
  const parameters = scopeParameters(scope, now)
  if (permissions.length === 1) {
    return toFacts(await inDialect(onePermission).all([...parameters, permissions[0]]), now)
  }
  const list = usesPostgres() ? permissions : JSON.stringify(permissions)
  return toFacts(await readMany(somePermissions, [...parameters, list]), now)
}

export async function readAllFacts(scope: CheckScope, now = currentTime()): Promise<AccessFacts> {
  return toFacts(await readMany(everyPermission, scopeParameters(scope, now)), now)
}

function scopeParameters({ email, app, resourceType, resourceId }: CheckScope, now: number) {
  return [email, app, resourceType, resourceId, databaseMoment(now)]
}

function readMany(query: ManyFactsQuery, parameters: unknown[]): Promise<FactsRow[]> {
  return usesPostgres() ? query.postgres.all(parameters) : readInParts(query, parameters)
}

const inDialect = ({ postgres, sqlite }: typeof onePermission) =>
  usesPostgres() ? postgres : sqlite

/** @param from when they were read, in milliseconds */
export function toFacts(rows: FactsRow[], from: number): AccessFacts {
  const [{ active, super_admin: superAdmin, application_admin: applicationAdmin, boundary }] = rows
  const facts: AccessFacts = {
    active: active === null ? null : Boolean(active),
    superAdmin: Boolean(superAdmin),
    applicationAdmin: Boolean(applicationAdmin),
    permissions: new Map(),
    from,
    until: parseDatabaseTimestamp(boundary)?.toMillis() ?? Infinity,
  }
  for (const row of rows) {
    if (row.code === null) continue
    facts.permissions.set(row.code, {
      code: row.code,
      type: row.type,
      global: Boolean(row.global),
      groupName: row.group_name,
      roleLevel: levelOfRank(row.role_rank),
      conditionalGrants: conditionalGrants(row),
      override: override(row),
    })
  }
  return facts
}

function conditionalGrants({ conditional_grants: given }: FactsRow): ConditionalGrant[] {
  if (given === null || given === '[]') return NONE
  return jsonList<[number, string]>(given)
    .sort(([a, one], [b, other]) => b - a || (one < other ? -1 : 1))
    .map(([rank, condition]) => ({ level: levelOfRank(rank)!, condition }))
}

/** PostgreSQL parses JSON, and makes null of an empty list. */
export function jsonList<T>(given: string | T[] | null): T[] {
  return typeof given === 'string' ? JSON.parse(given) : (given ?? [])
}

function override(row: FactsRow): PermissionFacts['override'] {
  if (row.granted === null) return null
  const { override_level: level, override_condition: condition } = row
  return { granted: Boolean(row.granted), level, condition }
}
