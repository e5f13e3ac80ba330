import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { uniqueCode } from '#tests/helpers/people'

interface Writes {
  table: string
  event: 'insert' | 'update'
  /** SQL for both databases, about the row `new`. */
  when: string
}

/**
 * Makes some writes fail.
 * @returns restores them
 */
export async function refuseWrites({ table, event, when }: Writes): Promise<() => Promise<void>> {
  const name = uniqueCode('refuse').replaceAll('-', '_')
  if (!usesPostgres()) {
    await db.rawQuery(
      `create trigger ${name} before ${event} on ${table} when ${when}
       begin select raise(abort, 'refused by the test'); end`
    )
    return async () => void (await db.rawQuery(`drop trigger ${name}`))
  }
  await db.rawQuery(
    `create function ${name}() returns trigger language plpgsql as $$
     begin if ${when} then raise exception 'refused by the test'; end if; return new; end $$`
  )
  await db.rawQuery(
    `create trigger ${name} before ${event} on ${table} for each row execute function ${name}()`
  )
  return async () => void (await db.rawQuery(`drop function ${name} cascade`))
}
