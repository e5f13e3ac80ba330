import type { Texts } from '../texts/texts.ts'
import { h, set, setText } from './dom.ts'
import { icon } from './icons.ts'

const MOST_SHOWN = 99

export class BellView {
  readonly element: HTMLButtonElement
  readonly #badge = h('span', { 'class': 'badge', 'part': 'badge', 'aria-hidden': 'true' })

  constructor(onclick: () => void) {
    const state = { 'aria-haspopup': 'dialog', 'aria-expanded': 'false', 'aria-controls': 'panel' }
    const attributes = { class: 'bell', part: 'bell', ...state, onclick }
    this.element = h('button', attributes, icon('bell'), this.#badge)
  }

  render(texts: Texts, unread: number, isOpen: boolean) {
    set(this.element, 'lang', texts.language)
    set(
      this.element,
      'aria-label',
      unread > 0 ? texts.get('bell', { n: unread }) : texts.get('inbox')
    )
    set(this.element, 'aria-expanded', String(isOpen))
    this.#badge.hidden = unread === 0
    setText(this.#badge, unread > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unread))
  }
}
