import type { Inbox } from '../data/inbox.ts'
import type { Texts } from '../texts/texts.ts'
import { arrange, h, set } from './dom.ts'
import { type ItemActions, ItemView } from './item_view.ts'

/** The messages, as a feed: arrow keys go from one to the next, and the end loads more. */
export class ListView {
  readonly element: HTMLElement
  readonly #feed: HTMLElement
  readonly #end: HTMLElement
  readonly #inbox: Inbox
  readonly #actions: ItemActions
  #views = new Map<number, ItemView>()
  #current?: number
  #shown = ''

  constructor(inbox: Inbox, actions: ItemActions) {
    this.#inbox = inbox
    this.#actions = actions
    this.#feed = h('div', {
      role: 'feed',
      part: 'list',
      onkeydown: (event: KeyboardEvent) => this.#onKey(event),
      onfocusin: (event: FocusEvent) => this.#onFocus(event),
    })
    this.#end = h('div', { class: 'end' })
    this.element = h('div', { class: 'scroll' }, this.#feed, this.#end)
    const onSight = ([entry]: IntersectionObserverEntry[]) => {
      if (entry?.isIntersecting && this.#inbox.loading === 'none') void this.#inbox.loadMore()
    }
    const options = { root: this.element, rootMargin: '200px' }
    this.#observer = new IntersectionObserver(onSight, options)
  }

  readonly #observer: IntersectionObserver

  render(texts: Texts) {
    const { items, loading, next, view } = this.#inbox
    const focused = this.#focusedIndex()
    const views = items.map((item) => this.#viewOf(item.id, item))
    arrange(
      this.#feed,
      views.map(({ element }) => element)
    )
    this.#views = new Map(views.map((one) => [one.item.id, one]))
    for (const [index, { element }] of views.entries()) {
      set(element, 'aria-posinset', index + 1)
      set(element, 'aria-setsize', next === null ? items.length : -1)
    }
    const isThere = this.#views.has(this.#current ?? 0)
    this.#setCurrent(isThere ? this.#current : views[0]?.item.id)
    // Otherwise the focus would leave the panel with the message that had it.
    if (focused !== undefined && this.#focusedIndex() === undefined) this.#focusNear(focused)
    // A feed must contain an article.
    this.#feed.hidden = items.length === 0
    set(this.#feed, 'aria-label', texts.get(`view_${view}`))
    set(this.#feed, 'aria-busy', String(/first|more/.test(loading)))
    this.#renderEnd(texts)
  }

  updateTimes() {
    for (const view of this.#views.values()) view.updateTime()
  }

  /** Before messages are shown in another language. */
  forget() {
    this.#views.clear()
    this.#feed.replaceChildren()
    this.#shown = ''
  }

  /** @returns whether choices were open */
  hideChoices(): boolean {
    return [...this.#views.values()].map((view) => view.hideChoices()).includes(true)
  }

  focusFirst() {
    this.#focusAt(0)
  }

  #viewOf(id: number, item: ItemView['item']): ItemView {
    const existing = this.#views.get(id)
    if (!existing) return new ItemView(item, this.#actions)
    if (existing.item !== item) existing.update(item)
    return existing
  }

  #renderEnd(texts: Texts) {
    const { items, loading, next, view } = this.#inbox
    const isEmpty = next === null && items.length === 0
    const state = isEmpty && loading !== 'failed' ? 'empty' : loading
    const shown = [state, view, texts.language].join()
    if (shown !== this.#shown) {
      this.#shown = shown
      const onclick = () => void this.#inbox.loadMore()
      const busy = [h('p', { class: 'soft', part: 'loading' }, texts.get('loading'))]
      const content = {
        failed: [
          h('p', { role: 'alert', part: 'error' }, texts.get('failed')),
          h('button', { class: 'plain-button', onclick }, texts.get('retry')),
        ],
        empty: [
          h(
            'p',
            { class: 'soft', part: 'empty' },
            texts.get(view === 'unread' ? 'empty_unread' : 'empty')
          ),
        ],
        first: busy,
        more: busy,
        none: [],
      }
      this.#end.replaceChildren(...content[state])
    }
    // Observed again, because an end that stays in sight is not reported twice.
    this.#observer.unobserve(this.#end)
    if (next && loading === 'none') this.#observer.observe(this.#end)
  }

  #onKey(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1 }
    const choices = (event.target as Element).closest('.choices')
    const index = this.#focusedIndex()
    if (index === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    const step = steps[event.key]
    if (choices && step) {
      const buttons = [...choices.querySelectorAll('button')]
      const at = buttons.indexOf(event.target as HTMLButtonElement) + step
      buttons.at(at % buttons.length)?.focus()
    } else if (step) this.#focusAt(index + step)
    else if (event.key === 'Home') this.#focusAt(0)
    else if (event.key === 'End') this.#focusAt(this.#inbox.items.length - 1)
    else if (/^(Enter| )$/.test(event.key) && event.target === this.#feed.children[index]) {
      this.#views.get(this.#inbox.items[index]!.id)?.toggle()
    } else return
    event.preventDefault()
  }

  #onFocus(event: FocusEvent) {
    const article = (event.target as Element).closest('article')
    const index = [...this.#feed.children].indexOf(article!)
    this.#setCurrent(this.#inbox.items[index]?.id)
    if (index === this.#inbox.items.length - 1 && this.#inbox.loading === 'none') {
      void this.#inbox.loadMore()
    }
  }

  #setCurrent(id: number | undefined) {
    this.#current = id
    for (const view of this.#views.values()) view.setCurrent(view.item.id === id)
  }

  #focusedIndex(): number | undefined {
    const root = this.#feed.getRootNode() as ShadowRoot
    const article = root.activeElement?.closest('article')
    const index = article ? [...this.#feed.children].indexOf(article) : -1
    return index < 0 ? undefined : index
  }

  #focusAt(index: number) {
    const article = this.#feed.children[index] as HTMLElement | undefined
    article?.focus()
  }

  #focusNear(index: number) {
    const last = this.#feed.children.length - 1
    if (last >= 0) this.#focusAt(Math.min(index, last))
    else (this.element.closest('[role=dialog]') as HTMLElement | null)?.focus()
  }
}
