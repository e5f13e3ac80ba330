import { LRUCache } from 'lru-cache'
import type { AccessScope } from '#core/events/access_changed'
import { type Judgement, isCurrent } from '#app/checks/values/judgement'

export const CACHE_CAPACITY = 5_000
export const CACHE_TTL_MS = 30_000
/** Of conditions and properties that are kept with judgements, in characters of JSON. */
export const CACHE_CHARACTERS = 10_000_000
/** Keeps a user from evicting the decisions of others. */
const SHARE_OF_USER = 0.1
export const MAX_DECISIONS_PER_USER = CACHE_CAPACITY * SHARE_OF_USER
const MAX_CHARACTERS_PER_USER = CACHE_CHARACTERS * SHARE_OF_USER

/** Never part of a value, because input with NUL is refused. */
export const KEY_SEPARATOR = '\u0000'

/** Cached judgements by key. A key starts with the e-mail address and the application. */
export class JudgementStore {
  readonly #judgements: LRUCache<string, Judgement>
  /** The keys of each user with their characters, in the order in which they expire. */
  readonly #shares = new Map<string, Share>()

  /** @param now a clock for tests, in milliseconds */
  constructor(now?: () => number) {
    this.#judgements = new LRUCache({
      max: CACHE_CAPACITY,
      ttl: CACHE_TTL_MS,
      maxSize: CACHE_CHARACTERS,
      dispose: (_, key) => this.#release(key),
      // Reads the system clock at most every 100 ms, but the clock of a test each time.
      ttlResolution: now ? 0 : 100,
      ...(now && { perf: { now } }),
    })
  }

  get size() {
    return this.#judgements.size
  }

  /** @param now a judgement does not outlive its time windows; in milliseconds */
  get(key: string, now: number) {
    const judgement = this.#judgements.get(key)
    return judgement && isCurrent(judgement, now) ? judgement : undefined
  }

  /** @param start when the age of the judgement begins */
  set(email: string, key: string, judgement: Judgement, start: number) {
    // A key that is stored again expires last.
    this.#judgements.delete(key)
    const size = charactersOf(judgement)
    if (size > MAX_CHARACTERS_PER_USER) return
    const share = this.#shares.get(email) ?? { sizes: new Map(), total: 0 }
    while (
      share.sizes.size >= MAX_DECISIONS_PER_USER ||
      share.total + size > MAX_CHARACTERS_PER_USER
    ) {
      this.#judgements.delete(share.sizes.keys().next().value!)
    }
    share.sizes.set(key, size)
    share.total += size
    this.#shares.set(email, share)
    this.#judgements.set(key, judgement, { start, size })
  }

  invalidate(scopes: AccessScope[]) {
    if (scopes.some(coversEverything)) return this.#judgements.clear()
    for (const [key, judgement] of [...this.#judgements.entries()]) {
      const [email, application] = key.split(KEY_SEPARATOR, 2)
      const resourceType = judgement.conditional?.scope.resourceType
      if (scopes.some((scope) => covers(scope, { email, application, resourceType }))) {
        this.#judgements.delete(key)
      }
    }
  }

  #release(key: string) {
    const email = key.slice(0, key.indexOf(KEY_SEPARATOR))
    const share = this.#shares.get(email)!
    share.total -= share.sizes.get(key)!
    share.sizes.delete(key)
    if (share.sizes.size === 0) this.#shares.delete(email)
  }
}

interface Share {
  sizes: Map<string, number>
  total: number
}

/** What conditions need later: they and the properties of the resource can be long. */
function charactersOf({ conditional }: Judgement): number {
  if (conditional === null) return 1
  const { facts, stored } = conditional
  return JSON.stringify([...facts.permissions.values()]).length + sizeOf(stored.resource)
}

/** Hundreds of judgements of a bulk check share the same properties, which can have 16 KiB. */
const sizes = new WeakMap<object, number>()

function sizeOf(properties: object): number {
  const known = sizes.get(properties)
  if (known !== undefined) return known
  const size = JSON.stringify(properties).length
  sizes.set(properties, size)
  return size
}

function coversEverything({ email, application, resourceType }: AccessScope) {
  return email === undefined && application === undefined && resourceType === undefined
}

/** @param judged without a resource type if the judgement depends on no condition */
function covers(scope: AccessScope, judged: AccessScope) {
  return (
    (scope.email ?? judged.email) === judged.email &&
    (scope.application ?? judged.application) === judged.application &&
    (scope.resourceType ?? judged.resourceType) === judged.resourceType
  )
}
