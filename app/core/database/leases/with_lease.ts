import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { currentCaller } from '#core/http/current_caller'
import { confirmAccess } from '#core/changes/caller_access'
import { Deadline } from '#core/values/deadline'
import { AlreadyAtWork } from '#core/exceptions/problems'
import { LeaseTurns } from '#core/database/leases/lease_turns'
import { acquireLease, extendLease, releaseLease } from '#core/database/leases/leases'

/** Longer than any single call of the provider, including a retry with a new token. */
const LEASE_MS = 30_000
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 100

const turns = new LeaseTurns()

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
  const caller = currentCaller()
  const deadline = new Deadline(waitMs)
  if (!(await turns.enter(name, caller, deadline))) throw tooLong()
  const enteredAt = performance.now()
  try {
    return await holdingLease(name, work, deadline)
  } finally {
    turns.leave(name, caller, performance.now() - enteredAt)
  }
}

async function holdingLease<T>(
  name: string,
  work: (lease: Lease) => Promise<T>,
  deadline: Deadline
): Promise<T> {
  const holder = randomUUID()
  while (!(await acquireLease(name, holder, fromNow(LEASE_MS)))) {
    if (deadline.hasPassed) throw tooLong()
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

const tooLong = () => new AlreadyAtWork({ headers: { 'retry-after': '15' } })

const fromNow = (milliseconds: number) => DateTime.utc().plus({ milliseconds })
