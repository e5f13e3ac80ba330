import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import type { CheckCount } from '#app/checks/check_counter'

const ROWS = {
  postgres: `jsonb_to_recordset(?::jsonb) as counted("appCode" text, day date, count bigint)`,
  sqlite: `(
    select value ->> 'appCode' as "appCode", value ->> 'day' as day, value ->> 'count' as count
    from json_each(?)
  ) as counted`,
}

/** Leaves out applications that have been deleted. */
export async function addCheckCounts(counts: CheckCount[]) {
  // All processes lock the rows in the same order.
  await db.rawQuery(
    `insert into check_counts (application_id, day, count)
     select applications.id, counted.day, counted.count
     from ${usesPostgres() ? ROWS.postgres : ROWS.sqlite}
     join applications on applications.code = counted."appCode"
     where true
     order by applications.id, counted.day
     on conflict (application_id, day) do update set count = check_counts.count + excluded.count`,
    [JSON.stringify(counts)]
  )
}
