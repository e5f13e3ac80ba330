import type { Inbox } from '../data/inbox.ts'
import type { Texts } from '../texts/texts.ts'
import type { View } from '../types.ts'
import { h, set, setText } from './dom.ts'
import { icon } from './icons.ts'
import type { ListView } from './list_view.ts'
import type { PreferencesView } from './preferences_view.ts'

const VIEWS: View[] = ['inbox', 'unread', 'snoozed', 'archived']

interface Parts {
  inbox: Inbox
  list: ListView
  preferences: PreferencesView
  close(): void
  readAll(): void
}

/** The dialog below the bell: messages, or preferences. */
export class PanelView {
  readonly element: HTMLElement
  #isChoosing = false
  readonly #parts: Parts
  readonly #title = h('h2', { id: 'title', part: 'title' })
  readonly #filters: HTMLElement
  readonly #views: Map<View, HTMLButtonElement>
  readonly #readAll: HTMLButtonElement
  readonly #settings: HTMLButtonElement
  readonly #back: HTMLButtonElement
  readonly #close: HTMLButtonElement

  constructor(parts: Parts) {
    this.#parts = parts
    this.#back = this.#button('icon', () => this.choose(false), 'back')
    this.#settings = this.#button('icon', () => this.choose(true), 'settings')
    this.#close = this.#button('icon', () => parts.close(), 'close')
    this.#readAll = this.#button('plain-button', () => parts.readAll())
    set(this.#readAll, 'part', 'read-all')
    this.#views = new Map(
      VIEWS.map((view) => [view, this.#button('filter', () => void parts.inbox.show(view))])
    )
    this.#filters = h(
      'div',
      { class: 'filters', role: 'group', part: 'filters' },
      ...this.#views.values()
    )
    this.element = h(
      'div',
      {
        'id': 'panel',
        'class': 'panel',
        'part': 'panel',
        'role': 'dialog',
        'aria-labelledby': 'title',
        'tabindex': -1,
        'popover': 'manual',
      },
      h(
        'header',
        { part: 'header' },
        this.#back,
        this.#title,
        this.#readAll,
        this.#settings,
        this.#close
      ),
      this.#filters,
      parts.list.element,
      parts.preferences.element
    )
    this.element.addEventListener('keydown', (event) => {
      if (event.target !== this.element || event.key !== 'ArrowDown') return
      event.preventDefault()
      parts.list.focusFirst()
    })
  }

  /** Messages, or preferences instead of them. */
  choose(isChoosing: boolean) {
    const hasChanged = isChoosing !== this.#isChoosing
    this.#isChoosing = isChoosing
    this.#showPart()
    if (!hasChanged) return
    if (isChoosing) void this.#parts.preferences.load()
    const next = isChoosing ? this.#back : this.#settings
    if (this.element.matches(':popover-open')) next.focus()
  }

  render(texts: Texts) {
    const { inbox, list } = this.#parts
    this.#texts = texts
    set(this.element, 'lang', texts.language)
    this.#label(this.#back, texts.get('back'))
    this.#label(this.#settings, texts.get('settings'))
    this.#label(this.#close, texts.get('close'))
    setText(this.#readAll, texts.get('readAll'))
    set(this.#filters, 'aria-label', texts.get('views'))
    for (const [view, button] of this.#views) {
      setText(button, texts.get(`view_${view}`))
      set(button, 'aria-pressed', String(view === inbox.view))
    }
    this.#showPart()
    list.render(texts)
  }

  #texts?: Texts

  #showPart() {
    const { inbox, list, preferences } = this.#parts
    const isChoosing = this.#isChoosing
    if (this.#texts) setText(this.#title, this.#texts.get(isChoosing ? 'settings' : 'inbox'))
    for (const part of [this.#back, preferences.element]) part.hidden = !isChoosing
    for (const part of [this.#settings, this.#filters, list.element]) part.hidden = isChoosing
    this.#readAll.hidden = isChoosing
    set(this.#readAll, 'aria-disabled', inbox.unread === 0 ? 'true' : null)
  }

  #button(name: string, onclick: () => void, picture?: Parameters<typeof icon>[0]) {
    const button = h('button', { class: name, onclick })
    if (picture) button.append(icon(picture))
    return button
  }

  #label(button: HTMLButtonElement, text: string) {
    set(button, 'aria-label', text)
    set(button, 'title', text)
  }
}
