import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import inboxConfig from '#config/inbox'

const LIMIT = 2_000
/** Ids that were taken but not committed. Those of rollbacks stay missing. */
const MAX_GAPS = 10_000
/** The ids before the first row were swept, except for those of transactions at that time. */
const MAX_FIRST_GAPS = 100

interface Table {
  name: string
  columns: string
  /** When a row was made. */
  madeAt: string
}

/**
 * Reads the rows that were committed since the last time, each once, although transactions do not
 * commit in the order of their ids.
 */
export class NewRows<Row extends { id: number }> {
  readonly #table: Table
  #last = 0
  /** Missing ids before the last one, and until when they may appear. */
  #gaps = new Map<number, number>()
  /** Read, but not taken yet. */
  #found: Row[] = []
  #queries?: ReturnType<typeof this.prepare>

  constructor(table: Table) {
    this.#table = table
  }

  /** Begins with rows whose time is so recent that others of that time may still be committed. */
  async start() {
    const { start } = (this.#queries ??= this.prepare())
    const settled = DateTime.utc().minus(inboxConfig.settleMs)
    const [{ last }] = await start.all([toDatabaseTimestamp(settled)])
    this.#last = Number(last ?? 0)
    this.#gaps.clear()
    this.#found = []
  }

  /** If it fails halfway, what it has read until then can still be taken. */
  async read(): Promise<void> {
    const { after, these } = (this.#queries ??= this.prepare())
    const late = this.#gaps.size === 0 ? [] : await these.all([this.#wanted()])
    this.#found.push(...late)
    for (const { id } of late) this.#gaps.delete(id)
    for (let rows: Row[] = [], hasMore = true; hasMore; hasMore = rows.length === LIMIT) {
      rows = await after.all([this.#last, LIMIT])
      this.#found.push(...rows)
      this.#advance(rows)
    }
    this.#forgetOld()
  }

  /** What was read since the last call. */
  take(): Row[] {
    const found = this.#found
    this.#found = []
    return found
  }

  /** Prepared on first use, because the database is known only after boot. */
  prepare() {
    const { name, columns, madeAt } = this.#table
    const { source } = jsonRows({ id: 'integer' })
    return {
      start: new PreparedQuery<{ last: number | null }>(
        `settled_${name}`,
        `select max(id) as last from ${name} where ${madeAt} < $1`
      ),
      after: new PreparedQuery<Row>(
        `${name}_after`,
        `select ${columns} from ${name} where id > $1 order by id limit $2`
      ),
      these: new PreparedQuery<Row>(
        `${name}_among`,
        `select ${columns} from ${name} where id in (select given.id from ${source}) order by id`
      ),
    }
  }

  #wanted() {
    return JSON.stringify([...this.#gaps.keys()].map((id) => ({ id })))
  }

  #advance(rows: Row[]) {
    const until = performance.now() + inboxConfig.settleMs
    for (const { id } of rows) {
      const most = this.#last === 0 ? MAX_FIRST_GAPS : MAX_GAPS
      const first = Math.max(this.#last + 1, id - most)
      for (let missing = first; missing < id; missing++) this.#gaps.set(missing, until)
      this.#last = id
    }
  }

  #forgetOld() {
    const now = performance.now()
    for (const [id, until] of this.#gaps) {
      if (until > now && this.#gaps.size <= MAX_GAPS) return
      this.#gaps.delete(id)
    }
  }
}
