import { belongsTo as lucidBelongsTo, hasMany as lucidHasMany } from '@adonisjs/lucid/orm'
import type { LucidModel, LucidRow } from '@adonisjs/lucid/types/model'

/** Lucid sets the keys when it boots the relation. */
interface Relation {
  localKey: string
  foreignKey: string
  setRelated(row: LucidRow, related: unknown): void
  setRelatedForMany(rows: LucidRow[], related: LucidRow[]): void
}

type Pair = (relation: Relation, rows: LucidRow[], related: LucidRow[]) => void

const keyOf = (row: LucidRow, name: string) => (row as unknown as Record<string, unknown>)[name]

/**
 * Lucid's `@belongsTo`, with a `preload` that looks up the related row by its key. Lucid compares
 * each row with each related row, which takes seconds for a few thousand rows.
 */
export const belongsTo = ((...definition) =>
  withPairing(lucidBelongsTo(...definition), (relation, rows, related) => {
    const byKey = new Map(related.map((row) => [keyOf(row, relation.localKey), row]))
    for (const row of rows) {
      relation.setRelated(row, byKey.get(keyOf(row, relation.foreignKey)) ?? null)
    }
  })) as typeof lucidBelongsTo

/** Lucid's `@hasMany`, with the same kind of `preload`. */
export const hasMany = ((...definition) =>
  withPairing(lucidHasMany(...definition), (relation, rows, related) => {
    const byKey = Map.groupBy(related, (row) => keyOf(row, relation.foreignKey))
    for (const row of rows) relation.setRelated(row, byKey.get(keyOf(row, relation.localKey)) ?? [])
  })) as typeof lucidHasMany

function withPairing(decorate: (target: any, name: any) => void, pair: Pair) {
  return (target: LucidRow, name: string) => {
    decorate(target, name)
    const model = target.constructor as LucidModel
    const relation = model.$getRelation(name as never) as unknown as Relation
    relation.setRelatedForMany = (rows, related) => pair(relation, rows, related)
  }
}
