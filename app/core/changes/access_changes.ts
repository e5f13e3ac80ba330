import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { containing } from '#core/database/filter_by_text'
import { PreparedQuery } from '#core/database/prepared_query'
import type { AccessScope } from '#core/events/access_changed'
import { takeRevisions } from '#core/changes/revision_counter'

/** A change with more scopes counts as a change to a whole application, or to everything. */
const MAX_SCOPES = 100

export interface AccessChange {
  revision: number
  scopes: AccessScope[]
}

/** @returns its revision */
export async function saveAccessChange(
  scopes: AccessScope[],
  trx: TransactionClientContract
): Promise<number> {
  const revision = await takeRevisions(trx, 1)
  await trx.table('access_changes').insert({
    id: revision,
    at: toDatabaseTimestamp(DateTime.utc()),
    scopes: JSON.stringify(bounded(scopes)),
  })
  return revision
}

/** Removes an address from stored scopes, which then cover all users. */
export async function forgetAddressInChanges(
  email: string,
  trx: TransactionClientContract
): Promise<void> {
  const rows: { id: number | string; scopes: string }[] = await trx
    .from('access_changes')
    .whereRaw("scopes like ? escape '\\'", [containing(JSON.stringify(email))])
    .select('id', 'scopes')
  for (const { id, scopes } of rows) {
    const widened = (JSON.parse(scopes) as AccessScope[]).map((scope) =>
      scope.email === email ? { ...scope, email: undefined } : scope
    )
    await trx
      .from('access_changes')
      .where({ id })
      .update({ scopes: JSON.stringify(widened) })
  }
}

interface ChangesRow {
  revision: number | string
  removed_through: number | string
  id: number | string | null
  scopes: string | null
}

const changesAfter = new PreparedQuery<ChangesRow>(
  'access_changes_after',
  `select change_revisions.revision, change_revisions.removed_through,
          access_changes.id, access_changes.scopes
   from change_revisions left join access_changes on access_changes.id > $1
   order by access_changes.id limit $2`
)

export interface RecentChanges {
  /** After the given revision, oldest first; null if they are no longer known. */
  changes: AccessChange[] | null
  hasMore: boolean
  /** The latest revision, of any kind of change. */
  latest: number
}

export async function readAccessChanges(after: number, limit: number): Promise<RecentChanges> {
  return recentChanges(await changesAfter.all([after, limit + 1]), after, limit)
}

/** @returns null if no replica reflects `after` */
export async function readReplicatedChanges(
  after: number,
  limit: number
): Promise<RecentChanges | null> {
  const rows = await changesAfter.allFromReplica(after, [after, limit + 1])
  return rows && recentChanges(rows, after, limit)
}

function recentChanges(rows: ChangesRow[], after: number, limit: number): RecentChanges {
  const [latest, removedThrough] = [Number(rows[0].revision), Number(rows[0].removed_through)]
  // After a restored backup, the latest can be older than what is known.
  if (after < removedThrough || after > latest) return { changes: null, hasMore: false, latest }
  const changes = rows.flatMap(({ id, scopes }) =>
    scopes === null ? [] : [{ revision: Number(id), scopes: JSON.parse(scopes) as AccessScope[] }]
  )
  return { changes: changes.slice(0, limit), hasMore: changes.length > limit, latest }
}

function bounded(scopes: AccessScope[]): AccessScope[] {
  if (scopes.length <= MAX_SCOPES) return scopes
  const applications = new Set(scopes.map(({ application }) => application))
  return [applications.size === 1 ? { application: [...applications][0] } : {}]
}
