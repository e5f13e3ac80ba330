import type { Texts } from '../texts/texts.ts'
import type { InboxItem } from '../types.ts'
import { h } from './dom.ts'

const TOGETHER_MS = 500
const CLEARED_AFTER_MS = 8_000

/** Says to screen readers what happens, and several arrivals in one sentence. */
export class Announcer {
  readonly element = h('div', { class: 'hidden', role: 'status' })
  readonly #texts: () => Texts
  #arrivals: InboxItem[] = []
  #arrivalTimer?: ReturnType<typeof setTimeout>
  #clearTimer?: ReturnType<typeof setTimeout>

  constructor(texts: () => Texts) {
    this.#texts = texts
  }

  say(text: string) {
    this.element.textContent = text
    clearTimeout(this.#clearTimer)
    this.#clearTimer = setTimeout(() => this.element.replaceChildren(), CLEARED_AFTER_MS)
  }

  /** Forgets what has not been said yet. */
  forget() {
    this.#arrivals = []
    this.element.replaceChildren()
  }

  arrived(item: InboxItem) {
    this.#arrivals.push(item)
    clearTimeout(this.#arrivalTimer)
    this.#arrivalTimer = setTimeout(() => this.#sayArrivals(), TOGETHER_MS)
  }

  #sayArrivals() {
    const [first, ...others] = this.#arrivals.splice(0)
    const texts = this.#texts()
    if (!first) return
    const subject = first.subject || texts.get('noSubject')
    if (others.length === 0) this.say(texts.get('arrived', { subject }))
    else this.say(texts.get('arrivedMany', { n: others.length + 1 }))
  }
}
