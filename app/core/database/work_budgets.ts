import { measureOwnTime } from '#core/database/own_time'
import { WorkPlaces } from '#core/database/work_places'
import { Overloaded } from '#core/exceptions/problems'
import type { Budget, Reservation } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'

/** A search can read a whole table, so few may run: other requests need connections too. */
const searches = new WorkPlaces({
  capacity: 4,
  forSlow: 2,
  slowMs: 2_000,
  detail: 'Too many searches are in progress',
})

/**
 * Runs a search of a large table. Searches of one caller run one after another.
 * @throws Overloaded if the search cannot start in time
 */
export function inSearchBudget<T>(caller: string, search: () => Promise<T>): Promise<T> {
  return searches.run(caller, search)
}

/** Each works in many turns of the event loop, in which others wait for it. */
const largeReads = new WorkPlaces({
  capacity: 3,
  forSlow: 1,
  slowMs: 2_000,
  detail: 'Too many large reads are in progress',
})

/**
 * Reads so many rows that SQLite would block the process. Such reads of one caller run one after
 * another.
 *
 * @throws Overloaded if the read cannot start in time
 */
export function inLargeReadBudget<T>(caller: string, read: () => Promise<T>): Promise<T> {
  return largeReads.run(caller, read)
}

/** Many, because the work of most users takes a few milliseconds. */
const rightsRequests = new WorkPlaces({
  capacity: 32,
  forSlow: 2,
  slowMs: 250,
  detail: 'Too many requests for many rights are in progress',
})

/**
 * Decides many rights for a user who asks from a browser, and so has no reason to ask for much at
 * the same time. Such requests of one user run one after another.
 *
 * @throws Overloaded if the work cannot start in time
 */
export function inRightsBudget<T>(caller: string, decide: () => Promise<T>): Promise<T> {
  return rightsRequests.run(caller, decide)
}

/** Each user has one. Others never wait for it, also while the database is slow. */
const ownChecks = new WorkPlaces({
  capacity: Infinity,
  forSlow: Infinity,
  slowMs: Infinity,
  detail: 'Too many checks are in progress',
})

/** Twice as long as the most costly checks take. Checks that the database delays need no more. */
const REST_AFTER_CHECK_MS = 250

/**
 * Runs a single check of a user who asks from a browser. Such checks of one user run one after
 * another, with a rest after a costly one.
 *
 * @throws Overloaded if the check cannot start in time
 */
export async function inOwnCheckBudget<T>(email: string, check: () => Promise<T>): Promise<T> {
  const place = await ownChecks.enter(email, new Deadline(MAX_WAIT_MS))
  return measureOwnTime(check, (ms) => place.leaveRested(ms, { longestMs: REST_AFTER_CHECK_MS }))
}

const MAX_WAIT_MS = 5_000

interface Request {
  caller: string
  /** The detail of the problem if the work cannot start. */
  detail: string
  maxWaitMs?: number
}

/** @throws Overloaded, with the detail, if the work cannot start in time */
export async function inBudget<T>(
  budget: Budget,
  request: Request,
  work: () => Promise<T>
): Promise<T> {
  const reservation = await reserveIn(budget, request)
  try {
    return await work()
  } finally {
    reservation.release()
  }
}

/** @throws Overloaded, with the detail, if the work cannot start in time */
export async function reserveIn(
  budget: Budget,
  { caller, detail, maxWaitMs = MAX_WAIT_MS }: Request
): Promise<Reservation> {
  const reservation = await budget.reserve(caller, 1, new Deadline(maxWaitMs))
  if (reservation === null) throw new Overloaded({ detail, headers: { 'retry-after': '5' } })
  return reservation
}
