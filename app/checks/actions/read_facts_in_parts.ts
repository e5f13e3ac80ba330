import { setImmediate as nextTurn } from 'node:timers/promises'
import { HttpContext } from '@adonisjs/core/http'
import { inLargeReadBudget } from '#core/database/work_budgets'
import { callerKey } from '#core/http/caller_name'
import { type FactsRow, type ManyFactsQuery, MAX_GRANTS } from '#app/checks/queries/facts_queries'
import {
  type RoleSize,
  grantsOfRoles,
  latestAccessChange,
  rolesOfUser,
} from '#app/checks/queries/grants_in_parts'

/** If rights change during each of them, everything is read at once. */
const MAX_ATTEMPTS = 3

/** What roles grant on one permission. */
interface Grants {
  rank: number | null
  conditional: [rank: number, condition: string][]
}

/**
 * Reads the facts of many permissions from SQLite, which blocks the process while it reads. If the
 * roles of the user grant very much, each turn of the event loop reads a part. The rows are of one
 * moment all the same.
 *
 * @param parameters those of the query: the first two are the user and the application, the fifth
 *   is the moment
 * @throws Overloaded if too many others read that much
 */
export async function readInParts(
  query: ManyFactsQuery,
  parameters: unknown[]
): Promise<FactsRow[]> {
  const rows = await query.sqliteIfFew.all(parameters)
  if (!lackGrants(rows)) return rows
  const [email, app, , , moment] = parameters
  return inLargeReadBudget(currentCallerKey(), async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const before = await readLatestChange()
      const grants = await readGrants(await rolesOfUser.all([email, app, moment]))
      const current = await query.sqliteIfFew.all(parameters)
      if (!lackGrants(current)) return current
      if ((await readLatestChange()) === before) return current.map((row) => add(grants, row))
    }
    return query.sqlite.all(parameters)
  })
}

const lackGrants = ([{ lacks_grants: areMissing }]: FactsRow[]) => Boolean(areMissing)

async function readLatestChange() {
  const [{ id }] = await latestAccessChange.all([])
  return id
}

async function readGrants(roles: RoleSize[]): Promise<Map<string, Grants>> {
  const grants = new Map<string, Grants>()
  for (const part of partsOf(roles)) {
    await nextTurn()
    for (const row of await grantsOfRoles.all([JSON.stringify(part)])) {
      const known = grants.get(row.code) ?? { rank: null, conditional: [] }
      if (row.role_rank !== null) known.rank = Math.max(row.role_rank, known.rank ?? 0)
      known.conditional.push(...(JSON.parse(row.conditional_grants) as Grants['conditional']))
      grants.set(row.code, known)
    }
  }
  return grants
}

/** The ids of the roles of each part: as many as fit, and at least one. */
function partsOf(roles: RoleSize[]): number[][] {
  const parts: number[][] = [[]]
  let room = MAX_GRANTS
  for (const { id, grants } of roles) {
    if (grants > room && parts.at(-1)!.length > 0) {
      parts.push([])
      room = MAX_GRANTS
    }
    parts.at(-1)!.push(id)
    room -= grants
  }
  return parts
}

function add(grants: Map<string, Grants>, row: FactsRow): FactsRow {
  const granted = row.code === null ? undefined : grants.get(row.code)
  if (granted === undefined) return row
  return { ...row, role_rank: granted.rank, conditional_grants: granted.conditional }
}

/** Work in the background counts as one caller. */
function currentCallerKey(): string {
  const ctx = HttpContext.get()
  return ctx ? callerKey(ctx) : 'service'
}
