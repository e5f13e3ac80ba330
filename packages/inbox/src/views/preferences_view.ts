import type { Api } from '../data/api.ts'
import { RequestFailed } from '../data/request_failed.ts'
import type { Push } from '../push.ts'
import type { Key } from '../texts/en.ts'
import type { Texts } from '../texts/texts.ts'
import type { Preference } from '../types.ts'
import { type Child, h } from './dom.ts'

type Channel = 'email' | 'push'

interface Surroundings {
  api(): Api
  push: Push
  texts(): Texts
  /** The codes given by the page; null for all that the user has used. */
  applications(): string[] | null
  /** Says something without moving the focus. */
  say(text: string): void
}

/** What arrives by which channel. Every switch is saved at once. */
export class PreferencesView {
  readonly element = h('div', { class: 'scroll preferences', part: 'preferences' })
  readonly #around: Surroundings
  /** Grows with each load: what earlier ones still bring is ignored. */
  #loads = 0

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** For another user, or in another language. */
  restart() {
    this.#loads++
    this.element.replaceChildren()
    if (this.element.checkVisibility()) void this.load()
  }

  async load() {
    const load = ++this.#loads
    const texts = this.#around.texts()
    this.element.replaceChildren(h('p', { class: 'soft' }, texts.get('loading')))
    try {
      const content = await this.#content()
      if (load === this.#loads) this.element.replaceChildren(...content)
    } catch {
      if (load !== this.#loads) return
      const onclick = () => void this.load()
      this.element.replaceChildren(
        h('p', { role: 'alert', part: 'error' }, texts.get('failed')),
        h('button', { type: 'button', class: 'plain-button', onclick }, texts.get('retry'))
      )
    }
  }

  async #content(): Promise<HTMLElement[]> {
    const { push, texts } = this.#around
    const api = this.#around.api()
    const codes = this.#around.applications() ?? (await api.applications())
    const lists = await Promise.all(codes.map((code) => api.preferences(code).catch(noneIfRefused)))
    const tables = lists.flatMap((types, index) =>
      types.length > 0 ? this.#table(codes[index]!, types) : []
    )
    const device = push.isPossible ? [await this.#device()] : []
    const none = h('p', { class: 'soft' }, texts().get('noSettings'))
    return [...device, ...(tables.length > 0 ? tables : [none])]
  }

  #table(appCode: string, types: Preference[]) {
    const texts = this.#around.texts()
    const heading = (text: string) => h('th', { scope: 'col' }, text)
    const head = [texts.get('type'), texts.get('email'), texts.get('push')].map(heading)
    return h(
      'table',
      {},
      h('caption', {}, appCode),
      h('thead', {}, h('tr', {}, ...head)),
      h('tbody', {}, ...types.map((type) => this.#row(type)))
    )
  }

  #row(type: Preference) {
    const fixed = !type.userCanDisable && this.#around.texts().get('always')
    const note = (text: string) => h('span', { class: 'soft note' }, text)
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        type.name,
        type.description && note(type.description),
        fixed && note(fixed)
      ),
      h('td', {}, this.#switch(type, 'email', type.emailEnabled)),
      h('td', {}, this.#switch(type, 'push', type.pushEnabled))
    )
  }

  #switch(type: Preference, channel: Channel, isEnabled: boolean): Child {
    if (!isEnabled) return '–'
    const { texts } = this.#around
    const api = this.#around.api()
    const label = `${type.name}: ${texts().get(channel)}`
    const save = (isOn: boolean) => api.setPreference(type.notificationTypeId, { [channel]: isOn })
    const box = this.#checkbox(type[channel], save)
    box.setAttribute('aria-label', label)
    box.disabled = !type.userCanDisable
    return box
  }

  async #device() {
    const { push, texts } = this.#around
    const { isDenied } = push
    const box = this.#checkbox(!isDenied && (await push.isOn()), async (isOn) => {
      if (isOn && !(await push.turnOn())) throw new Error('The user refused')
      if (!isOn) await push.turnOff()
    })
    box.disabled = isDenied
    const hint = h('span', { class: 'soft note' }, texts().get(isDenied ? 'denied' : 'deviceHint'))
    return h(
      'label',
      { class: 'device', part: 'device' },
      box,
      h('span', {}, texts().get('device'), hint)
    )
  }

  #checkbox(checked: boolean, save: (isOn: boolean) => Promise<unknown>) {
    const box = h('input', { type: 'checkbox' })
    box.checked = checked
    const set = (isOn: boolean) => void (box.checked = isOn)
    box.onchange = this.#saver(() => box.checked, set, save)
    return box
  }

  /** Saves the last choice, with one request at a time; takes it back if that fails. */
  #saver<Value>(get: () => Value, set: (value: Value) => void, save: (value: Value) => unknown) {
    const { texts, say } = this.#around
    const load = this.#loads
    let saved = get()
    let isSaving = false
    return async () => {
      // Inputs are not disabled meanwhile, because they would lose the focus.
      if (isSaving) return
      isSaving = true
      let outcome: Key = 'saved'
      for (let value; (value = get()) !== saved;) {
        try {
          await save(value)
          saved = value
        } catch {
          set(saved)
          outcome = 'notDone'
        }
      }
      isSaving = false
      if (load === this.#loads) say(texts().get(outcome))
    }
  }
}

/** The page may name applications that do not exist, or that the user must not enter. */
function noneIfRefused(error: unknown): Preference[] {
  if (error instanceof RequestFailed && [400, 403, 404].includes(error.status)) return []
  throw error
}
