import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { Deadline } from '#core/values/deadline'
import { AlreadyAtWork } from '#app/identity_provider/exceptions'

/** Longer than any one call of the provider may take, with a fresh token and a second try. */
const HELD_MS = 30_000
const WAIT_MS = 15_000
const ASK_EVERY_MS = 100
const TABLE = 'provider_leases'

/** The right to be alone at work on something at the identity provider, for a while. */
export interface Lease {
  /**
   * Makes it last again; also proves, inside a transaction, that it is still ours until that ends.
   *
   * @throws AlreadyAtWork when somebody else has taken it over
   */
  renew(client?: QueryClientContract): Promise<void>
}

export interface LeaseOptions {
  /** How long to wait for somebody else who is at work. */
  waitMs?: number
}

/**
 * Does `work` while nobody else does theirs under the same name, in any process. A lock of the database would not do: it
 * would be held over calls to another service. Who dies at work leaves the name to others after half a minute.
 *
 * @throws AlreadyAtWork when somebody else takes too long
 */
export async function withLease<T>(
  name: string,
  work: (lease: Lease) => Promise<T>,
  { waitMs = WAIT_MS }: LeaseOptions = {}
): Promise<T> {
  const holder = randomUUID()
  const deadline = new Deadline(waitMs)
  while (!(await takeLease(name, holder, inFuture(HELD_MS)))) {
    if (deadline.isOver) throw new AlreadyAtWork({ headers: { 'retry-after': '15' } })
    await pause(ASK_EVERY_MS)
  }
  try {
    return await work({ renew: (client) => renew(name, holder, client) })
  } finally {
    await db.from(TABLE).where({ name, holder }).delete()
  }
}

const inFuture = (milliseconds: number) => DateTime.utc().plus({ milliseconds })

/**
 * Takes a name that nobody holds. One statement, so that of many at once exactly one gets it.
 *
 * @returns whether it is the holder's now
 */
export async function takeLease(name: string, holder: string, until: DateTime): Promise<boolean> {
  await db.rawQuery(
    `insert into ${TABLE} (name, holder, held_until) values (?, ?, ?)
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
     where ${TABLE}.held_until < ?`,
    [name, holder, toDatabase(until), toDatabase(DateTime.utc())]
  )
  const row = await db.from(TABLE).where({ name, holder }).first()
  return row !== null
}

async function renew(name: string, holder: string, client: QueryClientContract = db.connection()) {
  const updated: unknown = await client
    .from(TABLE)
    .where({ name, holder })
    .update({ held_until: toDatabase(inFuture(HELD_MS)) })
  if (Number(updated) !== 1) throw new AlreadyAtWork()
}
