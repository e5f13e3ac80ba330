import { Api } from './data/api.ts'
import { Inbox } from './data/inbox.ts'
import { type Connection, Live } from './data/live.ts'
import type { InboxEventMap } from './events.ts'
import { Push } from './push.ts'
import style from './style.css?inline'
import { Texts, languageFrom } from './texts/texts.ts'
import type { GetToken, InboxItem } from './types.ts'
import { Announcer } from './views/announcer.ts'
import { BellView } from './views/bell_view.ts'
import { ListView } from './views/list_view.ts'
import { PanelView } from './views/panel_view.ts'
import { placePanel } from './views/place_panel.ts'
import { PreferencesView } from './views/preferences_view.ts'

let sheet: CSSStyleSheet | undefined

function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
  }
  return sheet
}

function noToken(): never {
  throw new Error('concierge-inbox needs getToken')
}

/** `<concierge-inbox>`: a bell with the number of unread messages, and a panel that shows them. */
export class ConciergeInbox extends HTMLElement {
  static readonly observedAttributes = ['base-url', 'language']

  #getToken?: GetToken
  #texts = new Texts(this.#language())
  #isOpen = false
  #isRendering = false
  #shownCount = 0
  #life?: AbortController
  readonly #states = this.attachInternals().states
  /** Of the current user. */
  #api = this.#newApi()
  readonly #announcer = new Announcer(() => this.#texts)
  readonly #inbox = new Inbox(() => this.#api, {
    onChange: () => this.#render(),
    onArrival: (item) => this.#arrived(item),
  })
  readonly #live = new Live({
    streamUrl: (lastEventId) => this.#api.streamUrl(lastEventId),
    onEvent: (name, data) => this.#inbox.receive(name, data),
    catchUp: () => this.#inbox.catchUp(),
    onConnection: (connection) => this.#showConnection(connection),
  })
  readonly #list = new ListView(this.#inbox, {
    texts: () => this.#texts,
    open: (item) => this.#open(item),
    follow: (item, url) => this.#emit('navigate', { item, url }),
    setRead: (item, isRead) => void this.#try(() => this.#inbox.setRead(item, isRead)),
    setArchived: (item, isIt) => void this.#try(() => this.#inbox.setArchived(item, isIt)),
    snooze: (item, until) => {
      this.#list.hideChoices()
      void this.#try(() => this.#inbox.snooze(item, until))
    },
  })
  readonly #preferences = new PreferencesView({
    api: () => this.#api,
    push: new Push(
      () => this.#api,
      () => this.getAttribute('service-worker')
    ),
    texts: () => this.#texts,
    applications: () =>
      this.getAttribute('applications')
        ?.split(/[\s,]+/)
        .filter(Boolean) ?? null,
    say: (text) => this.#announcer.say(text),
  })
  readonly #bell = new BellView(() => this.toggle())
  readonly #panel = new PanelView({
    inbox: this.#inbox,
    list: this.#list,
    preferences: this.#preferences,
    close: () => this.close(),
    readAll: () => void this.#try(() => this.#inbox.readAll()),
  })

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styleSheet()]
    root.append(this.#bell.element, this.#panel.element, this.#announcer.element)
    root.addEventListener('keydown', (event) => this.#onKey(event as KeyboardEvent))
    // A page may set it before this script has loaded.
    if (Object.hasOwn(this, 'getToken')) {
      const { getToken } = this
      delete (this as { getToken?: unknown }).getToken
      this.getToken = getToken
    }
  }

  /** Where access tokens come from. A new function means another user. */
  get getToken(): GetToken | undefined {
    return this.#getToken
  }

  set getToken(getToken: GetToken | undefined) {
    this.#getToken = getToken
    this.#restart()
  }

  /** How many messages are unread. */
  get unreadCount(): number {
    return this.#inbox.unread
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  connectedCallback() {
    const { signal } = (this.#life = new AbortController())
    const languages = new MutationObserver(() => this.#followLanguage())
    languages.observe(document.documentElement, { attributeFilter: ['lang'] })
    signal.addEventListener('abort', () => languages.disconnect())
    const options = { signal, capture: true, passive: true }
    addEventListener('resize', () => this.#place(), options)
    addEventListener('scroll', () => this.#place(), options)
    addEventListener('pointerdown', (event) => this.#closeIfOutside(event), options)
    this.addEventListener('focusout', (event) => this.#closeIfLeft(event), { signal })
    this.#followLanguage()
    this.#restart()
  }

  disconnectedCallback() {
    this.close()
    this.#life?.abort()
    this.#live.stop()
  }

  attributeChangedCallback(name: string) {
    if (name === 'language') this.#followLanguage()
    else this.#restart()
  }

  /** Shows the panel, with the messages, and moves the focus there. */
  open() {
    if (this.#isOpen || !this.isConnected) return
    this.#isOpen = true
    const panel = this.#panel.element
    this.#panel.choose(false)
    panel.showPopover()
    this.#place()
    if (this.#inbox.next === undefined) void this.#inbox.loadMore()
    else this.#list.updateTimes()
    this.#render()
    panel.focus()
    this.#emit('toggle', { isOpen: true })
  }

  close() {
    if (!this.#isOpen) return
    this.#isOpen = false
    const panel = this.#panel.element
    const hadFocus = panel.contains(this.shadowRoot!.activeElement)
    this.#list.hideChoices()
    panel.hidePopover()
    if (hadFocus) this.#bell.element.focus()
    this.#render()
    this.#emit('toggle', { isOpen: false })
  }

  toggle() {
    if (this.#isOpen) this.close()
    else this.open()
  }

  /** Loads what may have changed. @throws RequestFailed */
  refresh(): Promise<void> {
    return this.#inbox.catchUp()
  }

  #restart() {
    this.#live.stop()
    this.#api.end()
    const api = (this.#api = this.#newApi())
    this.#announcer.forget()
    this.#inbox.clear()
    this.#preferences.restart()
    if (!this.isConnected || !this.#getToken || !this.#life) return
    this.#live.start()
    void this.#inbox.catchUp().catch(() => {
      // For the panel, which then offers to try again.
      if (this.#isOpen && api === this.#api) void this.#inbox.loadMore()
    })
  }

  #open(item: InboxItem) {
    this.#emit('open', { item })
    if (item.readAt === null) void this.#try(() => this.#inbox.setRead(item, true))
  }

  #arrived(item: InboxItem) {
    this.#announcer.arrived(item)
    this.#emit('notification', { item })
  }

  async #try(change: () => Promise<unknown>) {
    const api = this.#api
    try {
      await change()
    } catch {
      if (api === this.#api) this.#announcer.say(this.#texts.get('notDone'))
    }
  }

  /** Renders once for all changes that happen together. */
  #render() {
    if (this.#isRendering) return
    this.#isRendering = true
    queueMicrotask(() => {
      this.#isRendering = false
      const { unread } = this.#inbox
      this.#bell.render(this.#texts, unread, this.#isOpen)
      this.#panel.render(this.#texts)
      if (unread === this.#shownCount) return
      this.#shownCount = unread
      this.#emit('unread-count', { count: unread })
    })
  }

  #showConnection(connection: Connection) {
    this.#states.clear()
    this.#states.add(connection)
  }

  #place() {
    if (this.#isOpen) placePanel(this.#panel.element, this.#bell.element)
  }

  #onKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !this.#isOpen) return
    event.stopPropagation()
    if (!this.#list.hideChoices()) this.close()
  }

  #closeIfOutside(event: Event) {
    if (this.#isOpen && !event.composedPath().includes(this)) this.close()
  }

  #closeIfLeft({ relatedTarget }: FocusEvent) {
    const isOutside = relatedTarget instanceof Node && !this.contains(relatedTarget)
    if (this.#isOpen && isOutside) this.close()
  }

  #followLanguage() {
    const language = this.#language()
    if (language === this.#texts.language) return
    this.#texts = new Texts(language)
    this.#list.forget()
    this.#preferences.restart()
    this.#render()
  }

  #language() {
    return languageFrom([this.getAttribute('language'), document.documentElement.lang])
  }

  #newApi() {
    const onProblem = (error: unknown) => void this.#emit('problem', { error })
    return new Api(() => this.#baseUrl(), this.#getToken ?? noToken, onProblem)
  }

  #baseUrl() {
    const { href } = new URL(this.getAttribute('base-url') || origin, location.href)
    return href.replace(/\/+$/, '')
  }

  /** @returns false if the page has called `preventDefault()` */
  #emit<Name extends keyof InboxEventMap>(name: Name, detail: InboxEventMap[Name]['detail']) {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable: name === 'navigate' }))
  }
}
