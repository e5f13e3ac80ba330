import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import { type Scope, holders, records } from '#app/profiles/queries/findable_users'
import {
  PARTS,
  type Part,
  type UsersPage,
  type UsersPosition,
} from '#app/profiles/values/users_page'

export interface FoundUser {
  /** Null for users without a record. */
  id: number | null
  email: string
  position: UsersPosition
}

type Query = DatabaseQueryBuilderContract
interface Row {
  id: number | null
  email: string
  at?: unknown
}

/** Returns one user more than the page holds. */
export async function searchUsers(
  scope: Scope,
  page: UsersPage,
  client?: TransactionClientContract
): Promise<FoundUser[]> {
  const parts: readonly Part[] = PARTS[page.sort]
  const found: FoundUser[] = []
  for (const part of parts.slice(page.after ? parts.indexOf(page.after.part) : 0)) {
    const missing = page.limit + 1 - found.length
    if (missing === 0) break
    const after = page.after?.part === part ? page.after : null
    const query = on(client, QUERIES[part](scope, after).limit(missing))
    const rows = (await query) as Row[]
    found.push(...rows.map((row) => toUser(part, row)))
  }
  return found
}

/** How many users all pages have. */
export async function countUsers(
  scope: Scope,
  client?: TransactionClientContract
): Promise<number> {
  let count = 0
  for (const part of PARTS.id) {
    const query = QUERIES[part](scope, null).clearOrder().as('counted')
    const [{ total }] = await on(client, db.from(query).count('* as total'))
    count += Number(total)
  }
  return count
}

const on = (client: TransactionClientContract | undefined, query: Query) =>
  client ? query.useTransaction(client) : query

function toUser(part: Part, { id, email, at }: Row): FoundUser {
  const position: UsersPosition = { part }
  if (part === 'everyone' || part === 'holders') position.email = email
  else position.id = id!
  const time = parseDatabaseTimestamp(at)
  if (time) position.at = toDatabaseTimestamp(time)
  return { id, email, position }
}

type After = UsersPosition | null

const QUERIES: Record<Part, (scope: Scope, after: After) => Query> = {
  records: (scope, after) =>
    records(scope)
      .if(after, (query) => void query.where('users.id', '>', after!.id!))
      .orderBy('users.id'),

  newest: (scope, after) =>
    records(scope)
      .select('users.created_at as at')
      .if(after, (query) => void afterRow(query, ['users.created_at', 'users.id'], after!))
      .orderBy('users.created_at', 'desc')
      .orderBy('users.id', 'desc'),

  logins: (scope, after) =>
    records(scope)
      .join('application_preferences as p', 'p.user_id', 'users.id')
      .select('p.last_login_at as at')
      .whereNotNull('p.last_login_at')
      .if(scope.visible, (query) => void query.whereIn('p.application_id', scope.visible!))
      .whereNotExists((later) => void laterLogins(later, scope))
      .if(after, (query) => void afterRow(query, ['p.last_login_at', 'p.user_id'], after!))
      .orderBy('p.last_login_at', 'desc')
      .orderBy('p.user_id', 'desc'),

  neverLoggedIn: (scope, after) =>
    QUERIES.records(scope, after).whereNotExists((logins) =>
      logins
        .from('application_preferences as p')
        .whereColumn('p.user_id', 'users.id')
        .whereNotNull('p.last_login_at')
        .if(scope.visible, (query) => void query.whereIn('p.application_id', scope.visible!))
    ),

  holders: (scope, after) => orderedByEmail(holders(scope, after?.email)),

  everyone: (scope, after) =>
    orderedByEmail(
      holders(scope, after?.email).unionAll([
        records(scope)
          .clearSelect()
          .select('users.email as email')
          .if(after, (query) => void query.where('users.email', '>', after!.email!)),
      ])
    ),
}

/** The order of the database, in which its indexes are sorted, too. */
function orderedByEmail(addresses: Query): Query {
  return db
    .from(addresses.as('addresses'))
    .leftJoin('users', 'users.email', 'addresses.email')
    .select('users.id as id', 'addresses.email as email')
    .orderBy('addresses.email')
}

/** Of several last logins at the same time, that of one application counts. */
function laterLogins(query: Query, { visible }: Scope) {
  query
    .from('application_preferences as q')
    .whereColumn('q.user_id', 'p.user_id')
    .if(visible, (own) => void own.whereIn('q.application_id', visible!))
    .where((later) =>
      later
        .whereColumn('q.last_login_at', '>', 'p.last_login_at')
        .orWhere((same) =>
          same
            .whereColumn('q.last_login_at', 'p.last_login_at')
            .whereColumn('q.application_id', '>', 'p.application_id')
        )
    )
}

function afterRow(query: Query, [time, id]: [string, string], { at, id: lastId }: UsersPosition) {
  query.whereRaw('(??, ??) < (?, ?)', [time, id, at!, lastId!])
}
