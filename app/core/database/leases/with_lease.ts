import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { confirmAccess } from '#core/changes/caller_access'
import { Deadline } from '#core/values/deadline'
import { AlreadyAtWork } from '#core/exceptions/problems'
import { acquireLease, extendLease, releaseLease } from '#core/database/leases/leases'

/** Longer than any single call of the provider, including a retry with a new token. */
const LEASE_MS = 30_000
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 100

/** An exclusive, time-limited claim to do something elsewhere, such as at the identity provider. */
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
 * If the caller has lost access while waiting, it is not begun.
 *
 * @throws AlreadyAtWork if the current holder takes too long; Problem of the guards
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
    await confirmAccess()
    return await work({
      async renew(client) {
        const isHeld = await extendLease(name, holder, fromNow(LEASE_MS), client)
        if (!isHeld) throw new AlreadyAtWork()
      },
    })
  } finally {
    await releaseLease(name, holder)
  }
}

const fromNow = (milliseconds: number) => DateTime.utc().plus({ milliseconds })
