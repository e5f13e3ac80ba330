import { LRUCache } from 'lru-cache'
import type { ConditionalGrant, OverrideFacts } from '#app/checks/values/access_facts'
import { type BothFacts, type Verdict, judgeUnconditionally } from '#app/checks/previews/verdict'
import type { Rights } from '#app/checks/previews/rights'
import type { Levels, RoleLevels } from '#app/checks/previews/role_levels'

/** One permission of users who share roles and administrator rights and have no override of it. */
export interface Comparison {
  permission: string
  facts: BothFacts
  /** Null if it depends on conditions. */
  verdict: Verdict | null
  /** Whether the conditions can differ between users. */
  looksAtSubject: boolean
  /** Whether the same rows decide, before and after. */
  isSame: boolean
}

/** How many comparisons with conditions to remember. */
const REMEMBERED = 10_000

/** Compares what users hold before and after changes. Equal comparisons share one object. */
export class Comparer {
  readonly #codes: string[]
  readonly #positions: Map<string, number>
  readonly #before: RoleLevels
  readonly #after: RoleLevels
  /** Permissions that are defined differently. */
  readonly #redefined: boolean[]
  readonly #known = new Map<number, Comparison>()
  readonly #conditional = new LRUCache<string, Comparison>({ max: REMEMBERED })

  /** @param codes the permissions to compare, in order */
  constructor(codes: string[], before: RoleLevels, after: RoleLevels) {
    this.#codes = codes
    this.#positions = new Map(codes.map((code, position) => [code, position]))
    this.#before = before
    this.#after = after
    this.#redefined = codes.map((_, position) => {
      const [a, b] = [before.definition(position), after.definition(position)]
      return a?.type !== b?.type || a?.global !== b?.global
    })
  }

  /** The permissions whose decisions can differ where no override counts, in order. */
  compare(before: Rights, after: Rights): Comparison[] {
    const user = this.#userOf(before, after)
    const found: Comparison[] = []
    for (let position = 0; position < this.#codes.length; position++) {
      if (!this.#isSame(position, user)) found.push(this.#at(position, user))
    }
    return found
  }

  /** Of one permission, also if nothing differs. */
  of(permission: string, before: Rights, after: Rights): Comparison {
    return this.#at(this.#positions.get(permission)!, this.#userOf(before, after))
  }

  #isSame(position: number, { left, right, flags }: ComparedUser): boolean {
    return (
      flags % 9 === 0 &&
      !this.#redefined[position] &&
      left.ranks[position] === right.ranks[position] &&
      isSameGrants(left.conditional.get(position), right.conditional.get(position))
    )
  }

  #userOf(before: Rights, after: Rights): ComparedUser {
    return {
      before,
      after,
      left: this.#before.of(before.roleIds),
      right: this.#after.of(after.roleIds),
      flags: flagsOf(before) * 8 + flagsOf(after),
    }
  }

  #at(position: number, user: ComparedUser): Comparison {
    const { left, right, flags } = user
    const ranks = left.ranks[position] * 4 + right.ranks[position]
    const key = (position * 64 + flags) * 16 + ranks
    const conditions = [left.conditional.get(position), right.conditional.get(position)]
    const make = () => this.#make(position, user)
    if (!conditions.some(Boolean)) return remember(this.#known, key, make)
    return remember(this.#conditional, `${key} ${JSON.stringify(conditions)}`, make)
  }

  #make(position: number, user: ComparedUser): Comparison {
    const { before, after, left, right } = user
    const permission = this.#codes[position]
    const facts = {
      before: factsOf(before, permission, this.#before.factsOf(position, left)),
      after: factsOf(after, permission, this.#after.factsOf(position, right)),
    }
    const conditions = [left, right].flatMap((levels) => levels.conditional.get(position) ?? [])
    return {
      permission,
      facts,
      verdict: judgeUnconditionally(facts, permission),
      looksAtSubject: conditions.some(({ condition }) => looksAtSubject(condition)),
      isSame: this.#isSame(position, user),
    }
  }
}

interface ComparedUser {
  before: Rights
  after: Rights
  left: Levels
  right: Levels
  /** A multiple of 9 if rules 1 to 3 see no difference. */
  flags: number
}

interface Known<Key> {
  get(key: Key): Comparison | undefined
  set(key: Key, comparison: Comparison): unknown
}

function remember<Key>(known: Known<Key>, key: Key, make: () => Comparison): Comparison {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = make()
  known.set(key, value)
  return value
}

/** Conditions name their variables literally, so one without this text cannot read the subject. */
export const looksAtSubject = (condition: string): boolean => condition.includes('subject')

/** What rules 1 to 3 look at, as a number below 8. */
function flagsOf({ active, superAdmin, applicationAdmin }: Rights): number {
  return Number(active === false) + 2 * Number(superAdmin) + 4 * Number(applicationAdmin)
}

function isSameGrants(a: ConditionalGrant[] | undefined, b: ConditionalGrant[] | undefined) {
  if (a === b) return true
  if (a?.length !== b?.length) return false
  return a!.every(
    ({ level, condition }, index) => level === b![index].level && condition === b![index].condition
  )
}

function factsOf(
  { active, superAdmin, applicationAdmin }: Rights,
  permission: string,
  known: ReturnType<RoleLevels['factsOf']>
) {
  return {
    active,
    superAdmin,
    applicationAdmin,
    permissions: new Map(known && [[permission, known]]),
    from: 0,
    until: Infinity,
  }
}

/** The same facts on a resource with these overrides. */
export function withOverrides(
  facts: BothFacts,
  permission: string,
  { before, after }: { before: OverrideFacts | null; after: OverrideFacts | null }
): BothFacts {
  const withOverride = (side: BothFacts['before'], override: OverrideFacts | null) => {
    const known = side.permissions.get(permission)
    if (!known || override === null) return side
    return { ...side, permissions: new Map([[permission, { ...known, override }]]) }
  }
  return {
    before: withOverride(facts.before, before),
    after: withOverride(facts.after, after),
  }
}
