import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { LucidModel, LucidRow } from '@adonisjs/lucid/types/model'
import { recordChange } from '#core/audit/record_change'
import type { Change } from '#core/audit/change'
import { deleteInParts, partSize } from '#core/database/in_parts'
import { CASCADES, ROW_KINDS } from '#database/cascades'
import type { RequireFresh } from '#core/http/etag'

export const MAX_NAMES = 20

export interface DeleteOptions<State> {
  /** Returns what would be deleted, and deletes nothing. */
  dryRun?: boolean
  requireFresh?: RequireFresh<State>
}

export interface DeletedRows {
  /** Such as `role` or `role_assignment`. */
  kind: string
  count: number
  /** The first 20 different names; empty for kinds without names. */
  names: string[]
}

/** What a deletion would remove, the resource itself first. */
export interface DeletionPreview {
  deletes: DeletedRows[]
}

/**
 * Deletes a row of a transaction and, by its foreign keys, everything that belongs to it. The audit
 * entry says what else was deleted.
 *
 * @returns null, or what would be deleted if it is a dry run
 */
export async function deleteRow(
  row: LucidRow & { id: number },
  deletion: Omit<Change, 'after'>,
  dryRun = false
): Promise<DeletionPreview | null> {
  const preview = await previewDeletion(row)
  if (dryRun) return preview
  await deletePreviewed(row, deletion, preview)
  return null
}

/** The same for a row whose preview has been read. */
export async function deletePreviewed(
  row: LucidRow & { id: number },
  deletion: Omit<Change, 'after'>,
  { deletes: [, ...deletes] }: DeletionPreview
) {
  const before = { ...deletion.before, ...(deletes.length > 0 && { deletes }) }
  await recordChange(row.$trx!, { ...deletion, before, after: null })
  await deleteManyBelow(row, deletes)
  await row.delete()
}

/** What the database would delete with the row in one statement, if it is too much for that. */
async function deleteManyBelow(row: LucidRow & { id: number }, deletes: DeletedRows[]) {
  const { table } = row.constructor as LucidModel
  const many = new Set(deletes.filter(({ count }) => count > partSize.rows).map(({ kind }) => kind))
  if (many.size === 0) return
  for (const [child, condition] of [...conditionsBelow(table, row.id)].reverse()) {
    if (child === table || !many.has(ROW_KINDS[child].kind)) continue
    await deleteInParts(child, (rows) => rows.whereRaw(condition), row.$trx!)
  }
}

/** What `deleteRow` would delete. */
export async function previewDeletion(row: LucidRow & { id: number }): Promise<DeletionPreview> {
  const { table } = row.constructor as LucidModel
  const deletes: DeletedRows[] = []
  for (const [affected, condition] of conditionsBelow(table, row.id)) {
    const found = await countRows(affected, condition, row.$trx!)
    if (found.count > 0) deletes.push(found)
  }
  return { deletes }
}

/** @param condition SQL, which contains nothing from outside */
async function countRows(
  table: string,
  condition: string,
  trx: TransactionClientContract
): Promise<DeletedRows> {
  const { kind, name, shown = (whole: string) => whole } = ROW_KINDS[table]
  const [{ total }] = await trx.from(table).whereRaw(condition).count('* as total')
  const rows: Record<string, string>[] = name
    ? await trx.from(table).whereRaw(condition).distinct(name).orderBy(name).limit(MAX_NAMES)
    : []
  return { kind, count: Number(total), names: [...new Set(rows.map((row) => shown(row[name!])))] }
}

/** The tables below a row, each after those that its rows belong to, with the rows concerned. */
function conditionsBelow(root: string, id: number): Map<string, string> {
  const conditions = new Map([[root, `id = ${Number(id)}`]])
  for (const [table, condition] of conditions) {
    for (const [child, column] of Object.entries(CASCADES[table] ?? {})) {
      const belongs = `${column} in (select id from ${table} where ${condition})`
      const other = conditions.get(child)
      conditions.set(child, other === undefined ? belongs : `${other} or ${belongs}`)
    }
  }
  return conditions
}
