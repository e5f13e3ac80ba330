import inboxConfig from '#config/inbox'

/** The last marks of a client with their text, which most events only extend. */
export class RecentMarks {
  readonly #marks = new Set<string>()
  #text: string | null = ''

  /** As in the id of an event. */
  get text(): string {
    return (this.#text ??= [...this.#marks].join(''))
  }

  add(mark: string) {
    if (this.#marks.has(mark)) return
    this.#text = this.text + mark
    this.#marks.add(mark)
    if (this.#marks.size <= inboxConfig.maxMarks) return
    const [oldest] = this.#marks
    this.#marks.delete(oldest)
    this.#text = this.#text.slice(oldest.length)
  }

  delete(mark: string) {
    if (this.#marks.delete(mark)) this.#text = null
  }
}
