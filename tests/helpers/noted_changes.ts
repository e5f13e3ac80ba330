import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'

/**
 * Triggers record every committed write, so comparing the latest entry before and after a request
 * shows whether it changed anything. This is cheaper than a digest of all tables.
 */
const NOTES = 'noted_changes'

/** Idempotency keys of refused requests are stored and deleted again. */
const IGNORED = new Set([NOTES, 'idempotency_keys', 'adonis_schema', 'adonis_schema_versions'])
const EVENTS = ['insert', 'update', 'delete']

export async function startNoting() {
  const all = await db.connection().getAllTables(['public'])
  const tables = all.filter((table) => !IGNORED.has(table))
  const id = usesPostgres() ? 'id serial primary key' : 'id integer primary key autoincrement'
  await db.rawQuery(`create table ${NOTES} (${id}, name text not null)`)
  if (usesPostgres()) {
    await db.rawQuery(
      `create function ${NOTES}() returns trigger language plpgsql as
       $$ begin insert into ${NOTES} (name) values (tg_table_name); return null; end $$`
    )
  }
  for (const table of tables) {
    for (const event of EVENTS) await db.rawQuery(triggerOn(table, event))
  }
  return async () => {
    for (const table of tables) {
      const on = usesPostgres() ? ` on ${table}` : ''
      for (const event of EVENTS) await db.rawQuery(`drop trigger ${NOTES}_${table}_${event}${on}`)
    }
    if (usesPostgres()) await db.rawQuery(`drop function ${NOTES}`)
    await db.rawQuery(`drop table ${NOTES}`)
  }
}

function triggerOn(table: string, event: string) {
  const head = `create trigger ${NOTES}_${table}_${event} after ${event} on ${table} for each row`
  return usesPostgres()
    ? `${head} execute function ${NOTES}()`
    : `${head} begin insert into ${NOTES} (name) values ('${table}'); end`
}

export async function latestNote(): Promise<number> {
  const [{ latest }] = await db.from(NOTES).max('id as latest')
  return Number(latest ?? 0)
}

export async function changedSince(note: number): Promise<string[]> {
  const rows: { name: string }[] = await db.from(NOTES).where('id', '>', note).distinct('name')
  return rows.map(({ name }) => name).sort()
}
