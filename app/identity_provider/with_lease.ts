import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { Deadline } from '#core/values/deadline'
import { AlreadyAtWork } from '#app/identity_provider/exceptions'

/** Longer than any single call of the provider, including a retry with a new token. */
const LEASE_MS = 30_000
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 100
const TABLE = 'provider_leases'

/** An exclusive, time-limited claim to change something at the identity provider. */
export interface Lease {
  /**
   * Extends the lease; within a transaction, it is then held until the commit.
   * @throws AlreadyAtWork if another holder has taken it over
   */
  renew(client?: QueryClientContract): Promise<void>
}

export interface LeaseOptions {
  /** How long to wait for the current holder. */
  waitMs?: number
}

/**
 * Runs `work` under a lease which, unlike a lock, may be held during calls to another service.
 * @throws AlreadyAtWork if the current holder takes too long
 */
export async function withLease<T>(
  name: string,
  work: (lease: Lease) => Promise<T>,
  { waitMs = WAIT_MS }: LeaseOptions = {}
): Promise<T> {
  const holder = randomUUID()
  const deadline = new Deadline(waitMs)
  while (!(await acquireLease(name, holder, fromNow(LEASE_MS)))) {
    if (deadline.hasPassed) throw new AlreadyAtWork({ headers: { 'retry-after': '15' } })
    await pause(CHECK_EVERY_MS)
  }
  try {
    return await work({ renew: (client) => renewLease(name, holder, client) })
  } finally {
    await db.from(TABLE).where({ name, holder }).delete()
  }
}

const fromNow = (milliseconds: number) => DateTime.utc().plus({ milliseconds })

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

async function renewLease(
  name: string,
  holder: string,
  client: QueryClientContract = db.connection()
) {
  const updated: unknown = await client
    .from(TABLE)
    .where({ name, holder })
    .update({ held_until: toDatabaseTimestamp(fromNow(LEASE_MS)) })
  if (Number(updated) !== 1) throw new AlreadyAtWork()
}
