import type { DateTime, DurationLike } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabase } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import type { Sweep } from '#core/retention/sweep'

export interface Expiry {
  /** Name of a table with an `id`. */
  table: string
  /** The time that a row's age counts from; it has an index. */
  column: string
  keep: DurationLike
}

/** Deletes the rows of a table that are older than a limit. */
export class ExpiredRows implements Sweep {
  readonly name: string
  readonly #expiry: Expiry

  constructor(expiry: Expiry) {
    this.name = expiry.table
    this.#expiry = expiry
  }

  async isDue(now: DateTime) {
    const { table, column } = this.#expiry
    const oldest = db.from(table).where(column, '<', this.#before(now)).orderBy(column)
    return (await oldest.select('id').first()) !== null
  }

  async removeSome(now: DateTime, limit: number, trx: TransactionClientContract) {
    const { table, column } = this.#expiry
    const some = `select id from ${table} where ${column} < ? order by ${column} limit ?`
    // As an array, so that PostgreSQL looks the rows up by id whatever its statistics say.
    const isOne = usesPostgres() ? `id = any(array(${some}))` : `id in (${some})`
    return Number(
      await trx
        .from(table)
        .whereRaw(isOne, [this.#before(now), limit])
        .delete()
    )
  }

  #before(now: DateTime) {
    return toDatabase(now.minus(this.#expiry.keep))
  }
}
