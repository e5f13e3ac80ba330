import type { CheckQuestion } from '../checks/question.ts'
import { type AccessScope, type Subject, covers } from './changes.ts'

export interface RememberedAnswer extends Subject {
  answer: Promise<boolean>
  /** By the clock of the near cache, in milliseconds. */
  validUntil: number
}

/** Answers by question. Beyond the limit, the least recently used ones are forgotten. */
export class RememberedAnswers {
  readonly #max: number
  /** The least recently used one first. */
  readonly #answers = new Map<string, RememberedAnswer>()

  constructor(max: number) {
    this.#max = max
  }

  get size() {
    return this.#answers.size
  }

  get(key: string, now: number): Promise<boolean> | undefined {
    const found = this.#answers.get(key)
    if (found === undefined) return undefined
    this.#answers.delete(key)
    if (found.validUntil <= now) return undefined
    this.#answers.set(key, found)
    return found.answer
  }

  set(key: string, answer: RememberedAnswer) {
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    if (this.#answers.size > this.#max) this.#answers.delete(this.#answers.keys().next().value!)
  }

  forget(scopes: AccessScope[]) {
    for (const [key, about] of this.#answers) {
      if (scopes.some((scope) => covers(scope, about))) this.#answers.delete(key)
    }
  }

  clear() {
    this.#answers.clear()
  }
}

/** Unambiguous, because the service refuses questions with NUL. */
export function answerKey({ email, app, permission, level, resource }: CheckQuestion): string {
  return resource === undefined
    ? `-${email}\0${app}\0${permission}\0${level}`
    : `+${email}\0${app}\0${permission}\0${level}\0${resource.type}\0${resource.id}`
}
