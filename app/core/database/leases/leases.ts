import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'

const TABLE = 'provider_leases'

/** Takes a free or expired lease. A single statement, so that only one of many can get it. */
export async function acquireLease(
  name: string,
  holder: string,
  until: DateTime
): Promise<boolean> {
  await db.rawQuery(
    `insert into ${TABLE} (name, holder, held_until) values (?, ?, ?)
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
     where ${TABLE}.held_until < ?`,
    [name, holder, toDatabaseTimestamp(until), toDatabaseTimestamp(DateTime.utc())]
  )
  const row = await db.from(TABLE).where({ name, holder }).first()
  return row !== null
}

/** Returns whether the holder still had the lease. */
export async function extendLease(
  name: string,
  holder: string,
  until: DateTime,
  client: QueryClientContract = db.connection()
): Promise<boolean> {
  const updated: unknown = await client
    .from(TABLE)
    .where({ name, holder })
    .update({ held_until: toDatabaseTimestamp(until) })
  return Number(updated) === 1
}

export async function releaseLease(name: string, holder: string) {
  await db.from(TABLE).where({ name, holder }).delete()
}
