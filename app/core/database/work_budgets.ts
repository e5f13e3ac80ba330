import { usesPostgres } from '#core/database/dialect'
import { Overloaded } from '#core/exceptions/problems'
import { Budget, type Reservation } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'

/** A search can read a whole table, so few may run: other requests need connections too. */
const MAX_CONCURRENT = 3
const MAX_PER_CALLER = 1
const MAX_WAIT_MS = 5_000

const searches = new Budget(MAX_CONCURRENT, MAX_PER_CALLER)

/**
 * Runs a search of a large table. Searches of one caller run one after another.
 * @throws Overloaded if the search cannot start in time
 */
export function inSearchBudget<T>(caller: string, search: () => Promise<T>): Promise<T> {
  return inBudget(searches, { caller, detail: 'Too many searches are in progress' }, search)
}

/** Each works in many turns of the event loop, in which others wait for it. */
const MAX_LARGE_READS = 2

const largeReads = new Budget(MAX_LARGE_READS, MAX_PER_CALLER)

/**
 * Reads so many rows that SQLite would block the process. Such reads of one caller run one after
 * another.
 *
 * @throws Overloaded if the read cannot start in time
 */
export function inLargeReadBudget<T>(caller: string, read: () => Promise<T>): Promise<T> {
  return inBudget(largeReads, { caller, detail: 'Too many large reads are in progress' }, read)
}

/** Each holds a connection until it is stored or undone. */
const MAX_LARGE_CHANGES = 3

const largeChanges = new Budget(MAX_LARGE_CHANGES, MAX_PER_CALLER)

/**
 * Makes a change that can concern thousands of rows, or tries it out. Those of one changer run one
 * after another (conventions.md#large-changes).
 *
 * @param changer see `changerKey`
 * @throws Overloaded if the change cannot begin in time
 */
export function inChangeBudget<T>(changer: string, change: () => Promise<T>): Promise<T> {
  const detail = 'Too many large changes are in progress'
  return inPausingBudget(largeChanges, { caller: changer, detail }, change)
}

/** A shorter list does not delay others. */
const LARGE_LIST = 100

/**
 * Stores a list that callers send. Only long ones count as large changes
 * (conventions.md#large-changes).
 *
 * @throws Overloaded if a large change cannot begin in time
 */
export function inChangeBudgetIfLarge<T>(
  changer: string,
  length: number,
  change: () => Promise<T>
): Promise<T> {
  return length > LARGE_LIST ? inChangeBudget(changer, change) : change()
}

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

/** On SQLite, work that took longer is followed by a pause. */
const LONG_WORK_MS = 250
/** The longest pause: shorter than the next work of the caller waits. */
const MAX_PAUSE_MS = 4_000

/**
 * The same for work in one transaction. On SQLite, where all others wait for it, the next work of
 * the caller begins only after a pause of the same length.
 */
export async function inPausingBudget<T>(
  budget: Budget,
  request: Request,
  work: () => Promise<T>
): Promise<T> {
  const reservation = await reserveIn(budget, request)
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    const took = performance.now() - startedAt
    if (usesPostgres() || took < LONG_WORK_MS) reservation.release()
    else setTimeout(() => reservation.release(), Math.min(took, MAX_PAUSE_MS)).unref()
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
