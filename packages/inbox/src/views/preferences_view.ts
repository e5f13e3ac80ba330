import type { Api } from '../data/api.ts'
import type { RequestFailed } from '../data/request_failed.ts'
import type { Push } from '../push.ts'
import type { Key } from '../texts/en.ts'
import type { Texts } from '../texts/texts.ts'
import type { Choice, Preference, QuietHours } from '../types.ts'
import { type Child, h, set } from './dom.ts'

type Channel = 'email' | 'push'

const EVERY_NIGHT = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00' }

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
  /** Grows with each load: results of earlier ones are ignored. */
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
        h('button', { class: 'plain-button', onclick }, texts.get('retry'))
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
    const quiet = this.#quiet(await api.quietHours())
    const none = h('p', { class: 'soft' }, texts().get('noSettings'))
    return [...device, quiet, ...(tables.length > 0 ? tables : [none])]
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
        fixed && note(fixed),
        type.emailEnabled && type.digestChoices.length > 1 && this.#digest(type)
      ),
      h('td', {}, this.#switch(type, 'email', type.emailEnabled)),
      h('td', {}, this.#switch(type, 'push', type.pushEnabled))
    )
  }

  #switch(type: Preference, channel: Channel, isEnabled: boolean): Child {
    if (!isEnabled) return '–'
    const box = h('input', { type: 'checkbox', checked: type[channel] })
    return this.#choice(type, channel, box, () => ({ [channel]: box.checked }))
  }

  #digest(type: Preference) {
    const options = type.digestChoices.map((value) =>
      h('option', { value, selected: value === type.digest }, this.#around.texts().get(value))
    )
    const select = h('select', {}, ...options)
    return this.#choice(type, 'email', select, () => ({ digest: select.value }))
  }

  #choice(
    type: Preference,
    channel: Channel,
    input: HTMLInputElement | HTMLSelectElement,
    chosen: () => Choice
  ) {
    const api = this.#around.api()
    set(input, 'aria-label', `${type.name}: ${this.#around.texts().get(channel)}`)
    input.disabled = !type.userCanDisable
    const save = () => api.setPreference(type.notificationTypeId, chosen())
    input.onchange = this.#saver([input], save)
    return input
  }

  async #device() {
    const { push, texts } = this.#around
    const { isDenied } = push
    const isOn = !isDenied && (await push.isOn())
    const box = h('input', { type: 'checkbox', checked: isOn })
    box.onchange = this.#saver([box], () => (box.checked ? push.turnOn() : push.turnOff()))
    box.disabled = isDenied
    const hint = isDenied && texts().get('denied')
    return h('div', { class: 'device', part: 'device' }, this.#labelled(box, 'device', hint))
  }

  #labelled(box: HTMLInputElement, name: Key, hint: string | false) {
    const texts = this.#around.texts()
    const note = hint && h('span', { class: 'soft note' }, hint)
    return h('label', {}, box, h('span', {}, texts.get(name), note))
  }

  /** Several windows were chosen elsewhere: they can be switched here, but not changed. */
  #quiet({ enabled, timeZone, windows }: QuietHours) {
    const texts = this.#around.texts()
    const api = this.#around.api()
    const [first, second] = windows
    const { days, ...times } = first ?? EVERY_NIGHT
    const zone = first ? timeZone : new Intl.DateTimeFormat().resolvedOptions().timeZone
    const time = (name: 'from' | 'to') => {
      const label = `${texts.get('quiet')}: ${texts.get(name)}`
      return h('input', { 'type': 'time', 'value': times[name], 'aria-label': label })
    }
    const [from, to] = [time('from'), time('to')]
    const box = h('input', { type: 'checkbox', checked: enabled })
    const save = this.#saver([box, from, to], () =>
      api.setQuietHours({
        enabled: box.checked,
        timeZone: zone,
        windows: second ? windows : [{ days, from: from.value, to: to.value }],
      })
    )
    // A time that is being typed is empty.
    const onchange = () => from.value && to.value && void save()
    return h(
      'div',
      { class: 'device', part: 'quiet-hours', onchange },
      this.#labelled(box, 'quiet', texts.get('quietHint', { zone })),
      !second && h('div', { class: 'times' }, from, ' – ', to)
    )
  }

  /** Saves the last choice, with one request at a time; takes it back if that fails. */
  #saver(inputs: { value: string; checked?: boolean }[], save: () => unknown) {
    const { texts, say } = this.#around
    const load = this.#loads
    const read = () => inputs.map(({ checked, value }) => ({ checked, value }))
    const hasChanged = () => JSON.stringify(read()) !== JSON.stringify(saved)
    let saved = read()
    let isSaving = false
    return async () => {
      // Inputs are not disabled meanwhile, because they would lose the focus.
      if (isSaving) return
      isSaving = true
      let outcome: Key = 'saved'
      while (hasChanged()) {
        const chosen = read()
        try {
          await save()
          saved = chosen
        } catch {
          for (const [index, input] of inputs.entries()) Object.assign(input, saved[index])
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
  if ([400, 403, 404].includes((error as RequestFailed).status)) return []
  throw error
}
