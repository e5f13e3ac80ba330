import { belongsTo as lucidBelongsTo, hasMany as lucidHasMany } from '@adonisjs/lucid/orm'
import type { LucidModel, LucidRow } from '@adonisjs/lucid/types/model'

/** The parts of a relation that pairing needs, set once Lucid has booted it. */
interface Relation {
  localKey: string
  foreignKey: string
  setRelated(row: LucidRow, related: unknown): void
  setRelatedForMany(rows: LucidRow[], related: LucidRow[]): void
}

type Pair = (relation: Relation, rows: LucidRow[], related: LucidRow[]) => void

const keyOf = (row: LucidRow, name: string) => (row as unknown as Record<string, unknown>)[name]

/**
 * Lucid's `@belongsTo`, for lists of any length: `preload` finds each row's counterpart by its key.
 * Lucid itself compares every row with every other one, which takes seconds for some thousands.
 */
export const belongsTo = ((...definition) =>
  paired(lucidBelongsTo(...definition), (relation, rows, related) => {
    const byKey = new Map(related.map((one) => [keyOf(one, relation.localKey), one]))
    for (const row of rows) {
      relation.setRelated(row, byKey.get(keyOf(row, relation.foreignKey)) ?? null)
    }
  })) as typeof lucidBelongsTo

/** Lucid's `@hasMany`, likewise. */
export const hasMany = ((...definition) =>
  paired(lucidHasMany(...definition), (relation, rows, related) => {
    const byKey = Map.groupBy(related, (one) => keyOf(one, relation.foreignKey))
    for (const row of rows) relation.setRelated(row, byKey.get(keyOf(row, relation.localKey)) ?? [])
  })) as typeof lucidHasMany

function paired(decorate: (target: any, name: any) => void, pair: Pair) {
  return (target: LucidRow, name: string) => {
    decorate(target, name)
    const model = target.constructor as LucidModel
    const relation = model.$getRelation(name as never) as unknown as Relation
    relation.setRelatedForMany = (rows, related) => pair(relation, rows, related)
  }
}
