import { setImmediate as nextTurn } from 'node:timers/promises'
import { inSearchBudget } from '#core/database/work_budgets'
import { Deadline } from '#core/values/deadline'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { inTurns } from '#app/checks/actions/decide_in_turn'
import type { Attributes } from '#app/checks/values/attributes'
import { type Finding, findNow } from '#app/checks/values/finding'
import type { Judgement } from '#app/checks/values/judgement'
import { openPosition, sealPosition } from '#app/checks/values/search_cursor'

export const DEFAULT_SEARCH_LIMIT = 100
export const MAX_SEARCH_LIMIT = 1_000

/** How many candidates are read at once. */
const MAX_BATCH = 500
const MIN_BATCH = 100
/** What one page examines. Beyond that, it ends early. */
const MAX_CANDIDATES_OF_PAGE = 5_000
const MAX_PAGE_MS = 500
/** Up to this many are always counted. */
const FEW = 1_000
const MAX_COUNTED = 100_000
const MAX_COUNT_MS = 5_000

export interface SearchPageRequest {
  limit?: number
  cursor?: string
  /** Whether to count all results; by default, if there are few candidates. */
  count?: boolean
}

/** What may be in the result, in byte order of the keys. */
export interface Candidates<Item extends { key: string }> {
  /** At least one of those that come after the key, unless there are none, and at most `wanted`. */
  list(after: string, wanted: number): Promise<{ items: Item[]; isLast: boolean }>
  judge(items: Item[]): Promise<Judgement[]>
}

export interface SearchCircumstances {
  given: Attributes
  /** In milliseconds. */
  now: number
  level: AccessLevel | undefined
  /** Whether the result names what is denied. */
  reportsDenied?: boolean
}

export interface Found<Item> extends Finding {
  item: Item
}

export interface FoundPage<Item> {
  found: Found<Item>[]
  nextCursor: string | null
  total: number | null
}

interface SearchOptions {
  circumstances: SearchCircumstances
  page: SearchPageRequest
  /** Everything that is asked for; cursors belong to it. */
  searched: unknown
  /** Shares the budget of long searches, in which `count` is answered. */
  caller: string
}

/**
 * Decides candidates until a page is full.
 *
 * @throws ValidationError for a cursor of another search; Overloaded if it cannot be counted now
 */
export async function searchCandidates<Item extends { key: string }>(
  candidates: Candidates<Item>,
  { circumstances, page: request, searched, caller }: SearchOptions
): Promise<FoundPage<Item>> {
  const { cursor, limit = DEFAULT_SEARCH_LIMIT, count } = request
  const from = cursor === undefined ? null : openPosition(cursor, searched)
  const search = new Search(candidates, circumstances)
  const page = await search.page(from?.after ?? '', limit)
  let total = from?.total ?? null
  if (total === null && count === true) {
    total = await inSearchBudget(caller, () => search.count('', MAX_COUNTED))
  } else if (from === null) {
    total = await search.totalIfFew(page, count !== false)
  }
  const nextCursor = page.next === null ? null : sealPosition({ after: page.next, total }, searched)
  return { found: page.found, nextCursor, total }
}

interface Page<Item> {
  found: Found<Item>[]
  /** How many candidates were looked at. */
  seen: number
  /** The key after which the next page begins; null on the last one. */
  next: string | null
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** Begins one batch of all searches per turn, because SQLite is synchronous. */
const takeTurn = () => (lastTurn = lastTurn.then(() => nextTurn()))

class Search<Item extends { key: string }> {
  readonly #candidates: Candidates<Item>
  readonly #circumstances: SearchCircumstances

  constructor(candidates: Candidates<Item>, circumstances: SearchCircumstances) {
    this.#candidates = candidates
    this.#circumstances = circumstances
  }

  async page(after: string, limit: number): Promise<Page<Item>> {
    const deadline = new Deadline(MAX_PAGE_MS)
    const found: Found<Item>[] = []
    let [next, seen, wanted] = [after, 0, limit]
    for (;;) {
      await takeTurn()
      const { items, isLast } = await this.#candidates.list(next, Math.min(wanted, MAX_BATCH))
      for (const each of await this.#find(items)) {
        if (found.length === limit) return { found, seen, next }
        next = each.item.key
        seen++
        if (this.#isReported(each)) found.push(each)
      }
      if (isLast) return { found, seen, next: null }
      const isSpent = seen >= MAX_CANDIDATES_OF_PAGE || deadline.hasPassed
      if (found.length === limit || isSpent) return { found, seen, next }
      wanted = Math.max(limit - found.length, MIN_BATCH)
    }
  }

  /** Null if there are too many to count unasked. */
  async totalIfFew({ found, seen, next }: Page<Item>, mayCount: boolean): Promise<number | null> {
    const soFar = found.filter(({ allowed }) => allowed).length
    if (next === null) return soFar
    if (!mayCount || !(await this.#isFew(next, FEW - seen))) return null
    const rest = await this.count(next, FEW)
    return rest === null ? null : soFar + rest
  }

  /** @returns how many are allowed; null if there are too many candidates or it takes too long */
  async count(after: string, most: number): Promise<number | null> {
    const deadline = new Deadline(MAX_COUNT_MS)
    let [position, left, allowed] = [after, most, 0]
    for (;;) {
      await takeTurn()
      const { items, isLast } = await this.#candidates.list(position, MAX_BATCH)
      left -= items.length
      if (left < 0) return null
      for (const each of await this.#find(items)) if (each.allowed) allowed++
      if (isLast) return allowed
      if (deadline.hasPassed) return null
      position = items.at(-1)!.key
    }
  }

  /** Whether at most this many candidates are left. Does not decide them. */
  async #isFew(after: string, most: number): Promise<boolean> {
    let [position, left] = [after, most]
    while (left >= 0) {
      await takeTurn()
      const { items, isLast } = await this.#candidates.list(position, Math.min(left + 1, MAX_BATCH))
      left -= items.length
      if (isLast) return left >= 0
      position = items.at(-1)!.key
    }
    return false
  }

  async #find(items: Item[]): Promise<Found<Item>[]> {
    if (items.length === 0) return []
    const judgements = await this.#candidates.judge(items)
    const findings = await inTurns(judgements, (each, _, resultsOf) =>
      findNow(each, this.#circumstances, resultsOf)
    )
    return items.map((item, index) => ({ item, ...findings[index] }))
  }

  #isReported({ allowed, pending }: Finding): boolean {
    return allowed || pending !== null || this.#circumstances.reportsDenied === true
  }
}
