import type { Assert } from '@japa/assert'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'

interface PlanNode {
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Plans'?: PlanNode[]
}

interface Expected {
  /** The most rows PostgreSQL may read. */
  rows: number
  /** The index SQLite must use; it does not report rows. */
  index: RegExp
}

/** Asserts that a page reads only the rows it shows. Statistics must be up to date. */
export async function assertReadsLittle(
  assert: Assert,
  page: { toQuery(): string; toSQL(): { sql: string; bindings?: readonly unknown[] } },
  { rows: most, index }: Expected
) {
  if (usesPostgres()) {
    const { rows } = await db.rawQuery(`explain (analyze, format json) ${page.toQuery()}`)
    assert.isAtMost(rowsRead(rows[0]['QUERY PLAN'][0].Plan), most)
    return
  }
  // With parameters, because SQLite plans without their values.
  const { sql, bindings = [] } = page.toSQL()
  const plan = JSON.stringify(await db.rawQuery(`explain query plan ${sql}`, bindings as string[]))
  assert.match(plan, /SEARCH notifications USING (?:COVERING )?INDEX/)
  assert.match(plan, index)
  assert.notInclude(plan, 'TEMP B-TREE')
}

function rowsRead(node: PlanNode): number {
  const inner = node.Plans ?? []
  if (inner.length > 0) return inner.reduce((sum, child) => sum + rowsRead(child), 0)
  return node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
}
