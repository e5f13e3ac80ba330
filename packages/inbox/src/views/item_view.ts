import type { Key } from '../texts/en.ts'
import type { Texts } from '../texts/texts.ts'
import type { InboxItem } from '../types.ts'
import { h, set, setText } from './dom.ts'
import { type Icon, icon } from './icons.ts'
import { linkAddress, safeBody } from './safe_body.ts'
import { snoozeTimes } from './snooze_times.ts'

export interface ItemActions {
  texts(): Texts
  /** The user wants to see the message. */
  open(item: InboxItem): void
  /** @returns false if the page opens the link itself */
  follow(item: InboxItem, url: string): boolean
  setRead(item: InboxItem, isRead: boolean): void
  setArchived(item: InboxItem, isArchived: boolean): void
  snooze(item: InboxItem, until: Date | null): void
}

/** One message of the list. It can be updated, so that the focus stays where it is. */
export class ItemView {
  readonly element: HTMLElement
  #item: InboxItem
  #body?: HTMLElement
  #choices?: HTMLElement
  readonly #actions: ItemActions
  readonly #title: HTMLButtonElement
  readonly #mark = h('span', { class: 'hidden' })
  readonly #subject = h('span', { part: 'subject' })
  readonly #application = h('span', { part: 'application' })
  readonly #time = h('time', { part: 'time' })
  readonly #buttons: Record<'read' | 'snooze' | 'archive', HTMLButtonElement>

  constructor(item: InboxItem, actions: ItemActions) {
    this.#item = item
    this.#actions = actions
    const id = `item-${item.id}`
    this.#title = h(
      'button',
      {
        'id': `${id}-title`,
        'class': 'title',
        'aria-expanded': 'false',
        'onclick': () => this.toggle(),
      },
      this.#mark,
      this.#subject
    )
    const button = (onclick: () => void) => h('button', { class: 'icon', onclick })
    this.#buttons = {
      read: button(() => actions.setRead(this.#item, this.#item.readAt === null)),
      snooze: button(() => this.#toggleChoices()),
      archive: button(() => actions.setArchived(this.#item, this.#item.archivedAt === null)),
    }
    set(this.#buttons.snooze, 'aria-expanded', 'false')
    const { read, snooze, archive } = this.#buttons
    this.element = h(
      'article',
      { 'class': 'item', 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-meta` },
      h('span', { class: 'dot', part: 'unread-mark' }),
      h(
        'div',
        {},
        h('h3', {}, this.#title),
        h('p', { id: `${id}-meta`, class: 'meta' }, this.#application, this.#time)
      ),
      h('div', { class: 'actions', part: 'actions' }, read, snooze, archive)
    )
    this.update(item)
  }

  get item() {
    return this.#item
  }

  /** Shows what has changed, also the language. */
  update(item: InboxItem) {
    const isOther =
      item.body.html !== this.#item.body.html || item.body.text !== this.#item.body.text
    this.#item = item
    const texts = this.#actions.texts()
    const isUnread = item.readAt === null
    const subject = item.subject || texts.get('noSubject')
    set(this.element, 'part', isUnread ? 'item item-unread' : 'item')
    this.element.classList.toggle('unread', isUnread)
    setText(this.#mark, isUnread ? `${texts.get('unreadMark')}: ` : '')
    setText(this.#subject, subject)
    set(this.#subject, 'lang', item.subject ? item.locale : null)
    setText(this.#application, item.appName)
    this.updateTime()
    this.#label('read', isUnread ? 'read' : 'unread', subject)
    this.#label('snooze', 'snooze', subject)
    this.#label('archive', item.archivedAt === null ? 'archive' : 'unarchive', subject)
    this.#buttons.snooze.hidden = item.archivedAt !== null
    if (this.#body && isOther) this.#showBody()
  }

  updateTime() {
    const texts = this.#actions.texts()
    const { shownAt, snoozedUntil } = this.#item
    const until = snoozedUntil && new Date(snoozedUntil)
    setText(
      this.#time,
      until ? texts.get('snoozedUntil', { time: texts.soon(until) }) : texts.ago(shownAt)
    )
    set(this.#time, 'datetime', snoozedUntil ?? shownAt)
    set(this.#time, 'title', texts.moment(until || new Date(shownAt)))
  }

  /** Whether Tab stops here; the other messages are reached with the arrow keys. */
  setCurrent(isCurrent: boolean) {
    const index = isCurrent ? 0 : -1
    set(this.element, 'tabindex', index)
    for (const button of this.element.querySelectorAll('button, a[href]'))
      set(button, 'tabindex', index)
  }

  toggle() {
    if (this.#body) return this.#hideBody()
    this.#showBody()
    this.#actions.open(this.#item)
  }

  /** @returns whether the choices were open */
  hideChoices(): boolean {
    if (!this.#choices) return false
    const hadFocus = this.#choices.contains(
      (this.element.getRootNode() as ShadowRoot).activeElement
    )
    this.#choices.remove()
    this.#choices = undefined
    set(this.#buttons.snooze, 'aria-expanded', 'false')
    if (hadFocus) this.#buttons.snooze.focus()
    return true
  }

  #showBody() {
    this.#hideBody()
    const { locale, body, url } = this.#item
    const texts = this.#actions.texts()
    const content = h('div', { part: 'body', class: 'body', lang: locale })
    content.append(
      (body.html !== null && safeBody(body.html)) ||
        (body.text
          ? h('p', { class: 'plain' }, body.text)
          : h('p', { class: 'soft' }, texts.get('noBody')))
    )
    const address = linkAddress(url)
    this.#body = h('div', { class: 'more' }, content, address && this.#link(address))
    this.element.querySelector('.actions')!.after(this.#body)
    set(this.#title, 'aria-expanded', 'true')
    this.setCurrent(this.element.tabIndex === 0)
  }

  #hideBody() {
    this.#body?.remove()
    this.#body = undefined
    set(this.#title, 'aria-expanded', 'false')
  }

  #link(address: string) {
    const texts = this.#actions.texts()
    const onclick = (event: MouseEvent) => {
      if (!this.#actions.follow(this.#item, address)) event.preventDefault()
    }
    return h(
      'a',
      { href: address, target: '_blank', rel: 'noopener noreferrer', part: 'link', onclick },
      texts.get('link'),
      h('span', { class: 'hidden' }, ` (${texts.get('newTab')})`)
    )
  }

  #toggleChoices() {
    if (this.hideChoices()) return
    const texts = this.#actions.texts()
    const choice = (label: Key, until: Date | null) => {
      const onclick = () => this.#actions.snooze(this.#item, until)
      const time = until && h('span', { class: 'soft' }, texts.soon(until))
      return h('button', { class: 'choice', onclick }, texts.get(label), time)
    }
    const wake = this.#item.snoozedUntil ? [choice('wake', null)] : []
    const times = snoozeTimes().map(({ label, until }) => choice(label, until))
    const group = { 'class': 'choices', 'role': 'group', 'aria-label': texts.get('snoozeUntil') }
    this.#choices = h('div', group, ...wake, ...times)
    this.element.append(this.#choices)
    set(this.#buttons.snooze, 'aria-expanded', 'true')
    this.#choices.querySelector('button')!.focus()
  }

  #label(button: 'read' | 'snooze' | 'archive', name: Key & Icon, subject: string) {
    const element = this.#buttons[button]
    const text = this.#actions.texts().get(name)
    set(element, 'title', text)
    set(element, 'aria-label', `${text}: ${subject}`)
    set(element, 'part', `action action-${name}`)
    if (element.dataset.icon === name) return
    element.dataset.icon = name
    element.replaceChildren(icon(name))
  }
}
