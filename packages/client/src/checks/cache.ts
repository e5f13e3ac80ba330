import { type CheckQuestion, groupKey, type OwnCheckQuestion } from './question.ts'

const CAPACITY = 5_000

interface CacheEntry {
  answer: Promise<boolean>
  expiresAt: number
}

/** Caches the results of checks, but no failures. */
export class CheckCache {
  readonly #ttlMs: number
  readonly #entries = new Map<string, CacheEntry>()

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /**
   * @param identity the caller, whom questions without an address are about
   * @param renew whether to ask in any case
   */
  answer(
    identity: string,
    question: CheckQuestion | OwnCheckQuestion,
    { ask, renew }: { ask: () => Promise<boolean>; renew: boolean }
  ): Promise<boolean> {
    if (this.#ttlMs <= 0) return ask()
    const key = JSON.stringify([identity, question.permission, groupKey(question)])
    const entry = renew ? undefined : this.#entries.get(key)
    if (entry && entry.expiresAt > performance.now()) return entry.answer
    const answer = ask()
    this.#save(key, answer)
    return answer
  }

  clear() {
    this.#entries.clear()
  }

  #save(key: string, answer: Promise<boolean>) {
    const entry = { answer, expiresAt: performance.now() + this.#ttlMs }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > CAPACITY && !oldest.done) this.#entries.delete(oldest.value)
    answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
  }
}
