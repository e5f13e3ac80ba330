import { createHash } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'

/** The columns of a table that can be large. */
interface LargeColumns {
  texts?: string[]
  json?: string[]
}

/** Objects, lists and their values take time and memory, however short their JSON is. */
const CHARACTERS = { '{': 48, '[': 48, ',': 32 }

/**
 * Finds how many rows of a table fit a size. The database adds up row after row and stops at the
 * one that no longer fits, so that it does not read the others.
 *
 * @example
 * const sizes = new RowSizes('notifications', { texts: ['subject'], json: ['payload'] })
 * const fitting = await sizes.fitting([812, 811, 790], 4_194_304)
 */
export class RowSizes {
  readonly #table: string
  readonly #columns: LargeColumns
  #query?: PreparedQuery<{ fitting: number }>

  constructor(table: string, columns: LargeColumns) {
    this.#table = table
    this.#columns = columns
  }

  /** How many of the rows, from the first on, have at most `bytes` together. */
  async fitting(ids: number[], bytes: number, client?: TransactionClientContract): Promise<number> {
    if (ids.length === 0) return 0
    const given = ids.map((id, index) => ({ place: index + 1, id }))
    // The kind of database is known only once the application has booted.
    this.#query ??= this.#prepare()
    const [{ fitting }] = await this.#query.all([JSON.stringify(given), bytes], client)
    return fitting
  }

  /**
   * A recursive table `reached`, with the `size` of the rows up to each `place`. It ends with the
   * first one that is too large.
   *
   * @param given a table with the `id` of each row and its `place`, from 1
   * @param bytes how the statement writes the parameter with the largest size
   */
  reached(given: string, bytes: string): string {
    const { texts = [], json = [] } = this.#columns
    const size = [...texts.map(sizeOf), ...json.map(weightOf)]
      .map((bytesOf) => `coalesce(${bytesOf}, 0)`)
      .join(' + ')
    return `reached(place, size) as (
        select cast(0 as bigint), cast(0 as bigint)
        union all
        select given.place,
          reached.size + coalesce((select ${size} from ${this.#table} where id = given.id), 0)
        from reached join ${given} given on given.place = reached.place + 1
        where reached.size <= ${bytes}
      )`
  }

  #prepare() {
    const { names, source } = jsonRows({ place: 'integer', id: 'integer' })
    return new PreparedQuery<{ fitting: number }>(
      // PostgreSQL reads 63 characters.
      `fitting_${this.#table}_${digestOf(this.#columns)}`,
      `with recursive listed(${names}) as materialized (
         select cast(place as bigint), id from ${source}
       ),
       ${this.reached('listed', '$2')}
       select cast(max(place) as integer) as fitting from reached where size <= $2`
    )
  }
}

const digestOf = (columns: LargeColumns) =>
  createHash('sha256').update(JSON.stringify(columns)).digest('hex').slice(0, 16)

const textOf = (column: string) => (usesPostgres() ? `${column}::text` : column)
const sizeOf = (column: string) => `octet_length(${textOf(column)})`

/** Of JSON: its size, and more for each of certain characters. */
function weightOf(column: string): string {
  const counts = Object.entries(CHARACTERS).map(
    ([character, weight]) =>
      `${weight} * (octet_length(${textOf(column)}) - octet_length(replace(${textOf(column)}, '${character}', '')))`
  )
  return [sizeOf(column), ...counts].join(' + ')
}
