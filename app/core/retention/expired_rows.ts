import type { DateTime, DurationLike } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import type { Sweep } from '#core/retention/sweep'

export interface Expiry {
  table: string
  /** The age of a row counts from this time. It needs an index. */
  column: string
  maxAge: DurationLike
  /** A later time from which the age counts instead, in rows that have one */
  orColumn?: string
  /** A condition of rows that are kept, however old they are */
  unless?: string
  /** Called before rows are deleted, in the same transaction, which has locked them. */
  record?: (ids: number[], trx: TransactionClientContract) => Promise<void>
}

export class ExpiredRows implements Sweep {
  readonly name: string
  readonly #expiry: Expiry

  constructor(expiry: Expiry) {
    this.name = expiry.table
    this.#expiry = expiry
  }

  async isDue(now: DateTime) {
    const { table, column } = this.#expiry
    const [expired, values] = this.#condition(now)
    const oldest = db.from(table).whereRaw(expired, values).orderBy(column)
    return (await oldest.select('id').first()) !== null
  }

  async deleteExpired(now: DateTime, limit: number, trx: TransactionClientContract) {
    const { table, column, record } = this.#expiry
    if (record) {
      const ids = await this.#lockExpired(now, limit, trx)
      await record(ids, trx)
      return Number(await trx.from(table).whereIn('id', ids).delete())
    }
    const [expired, values] = this.#condition(now)
    const some = `select id from ${table} where ${expired} order by ${column} limit ?`
    // With an array, PostgreSQL uses the index on `id` whatever its statistics say.
    const isOne = usesPostgres() ? `id = any(array(${some}))` : `id in (${some})`
    return Number(
      await trx
        .from(table)
        .whereRaw(isOne, [...values, limit])
        .delete()
    )
  }

  async #lockExpired(now: DateTime, limit: number, trx: TransactionClientContract) {
    const { table, column } = this.#expiry
    const rows: { id: number }[] = await trx
      .from(table)
      .whereRaw(...this.#condition(now))
      .orderBy(column)
      .limit(limit)
      .forUpdate()
      .select('id')
    return rows.map(({ id }) => id)
  }

  #condition(now: DateTime): [string, string[]] {
    const { column, orColumn, unless, maxAge } = this.#expiry
    const before = toDatabaseTimestamp(now.minus(maxAge))
    const kept = unless === undefined ? '' : ` and not (${unless})`
    if (orColumn === undefined) return [`${column} < ?${kept}`, [before]]
    const expired = `${column} < ? and (${orColumn} is null or ${orColumn} < ?)`
    return [expired + kept, [before, before]]
  }
}
