import { RecentUse } from '#core/values/recent_use'

/** For whom something is done, only to tell them apart. */
export interface Owner {
  /** Such as an application */
  group?: unknown
  /** Someone in the group, such as a user */
  member?: unknown
}

type MayServe = (group: unknown, member: unknown) => boolean

/**
 * A queue in which one owner does not delay the others, however much waits for that one. Next comes
 * the group that has used the least time lately, and in it the member who has.
 */
export class FairQueue<Item> {
  readonly #groups = new Map<unknown, Map<unknown, Item[]>>()
  readonly #recentUse: { groups: RecentUse; members: RecentUse }

  /** @param halfLifeMs after this many milliseconds, a use counts half; 1,000 by default */
  constructor(halfLifeMs?: number) {
    this.#recentUse = { groups: new RecentUse(halfLifeMs), members: new RecentUse(halfLifeMs) }
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0
  }

  /** Whether an item of the group waits. */
  has(group: unknown): boolean {
    return this.#groups.has(group)
  }

  add(item: Item, { group, member }: Owner) {
    const members = this.#groups.get(group) ?? new Map<unknown, Item[]>()
    this.#groups.set(group, members)
    const items = members.get(member)
    if (items) items.push(item)
    else members.set(member, [item])
  }

  /**
   * Removes the next item.
   *
   * @param mayServe whether an item of the member may be next
   * @returns undefined if none may
   */
  take(mayServe: MayServe = () => true): Item | undefined {
    const groups = this.#groups
      .entries()
      .filter(([group, members]) => members.keys().some((member) => mayServe(group, member)))
      .map(([group]) => group)
    const group = leastUsed(groups, this.#recentUse.groups)
    if (group === NONE) return undefined
    const members = this.#groups.get(group)!
    const served = members.keys().filter((member) => mayServe(group, member))
    const member = leastUsed(served, this.#recentUse.members)
    const items = members.get(member)!
    const item = items.shift()!
    moveToEnd(members, member, items.length === 0)
    moveToEnd(this.#groups, group, members.size === 0)
    return item
  }

  /** Removes an item that still waits. */
  remove(item: Item, { group, member }: Owner) {
    const members = this.#groups.get(group)!
    const items = members.get(member)!
    items.splice(items.indexOf(item), 1)
    if (items.length === 0) members.delete(member)
    if (members.size === 0) this.#groups.delete(group)
  }

  /** @param ms how long the work for the owner took */
  recordUse({ group, member }: Owner, ms: number) {
    this.#recentUse.groups.add(group, ms)
    if (member !== undefined) this.#recentUse.members.add(member, ms)
  }
}

/** Groups can be undefined. */
const NONE = Symbol('none')

/** The first of those who used the same. */
function leastUsed(keys: Iterable<unknown>, recentUse: RecentUse): unknown {
  let next: unknown = NONE
  let least = Infinity
  for (const key of keys) {
    const used = recentUse.of(key)
    if (used === 0) return key
    if (used < least) [next, least] = [key, used]
  }
  return next
}

/** So that those who used the same alternate. */
function moveToEnd<Value>(waiting: Map<unknown, Value>, key: unknown, isDone: boolean) {
  const value = waiting.get(key)!
  waiting.delete(key)
  if (!isDone) waiting.set(key, value)
}
