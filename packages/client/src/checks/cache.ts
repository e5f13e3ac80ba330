import { type CheckQuestion, groupOf, type OwnCheckQuestion } from './question.ts'

const CAPACITY = 5_000

interface Kept {
  answer: Promise<boolean>
  until: number
}

/** Caches the results of checks, but no failures. */
export class CheckCache {
  readonly #forMs: number
  readonly #kept = new Map<string, Kept>()

  constructor(forMs: number) {
    this.#forMs = forMs
  }

  /** @param identity the caller, whom questions without an address are about */
  answer(
    identity: string,
    question: CheckQuestion | OwnCheckQuestion,
    ask: () => Promise<boolean>
  ): Promise<boolean> {
    if (this.#forMs <= 0) return ask()
    const key = JSON.stringify([identity, question.permission, groupOf(question)])
    const kept = this.#kept.get(key)
    if (kept && kept.until > performance.now()) return kept.answer
    const answer = ask()
    this.#keep(key, answer)
    return answer
  }

  clear() {
    this.#kept.clear()
  }

  #keep(key: string, answer: Promise<boolean>) {
    const kept = { answer, until: performance.now() + this.#forMs }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size > CAPACITY && !oldest.done) this.#kept.delete(oldest.value)
    answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
  }
}
