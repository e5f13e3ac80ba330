import { eventually } from '#tests/helpers/eventually'

export interface StreamedEvent {
  id?: string
  event: string
  data: Record<string, unknown> & { revision: number }
}

/** A client of Server-Sent Events that keeps what it receives. */
export class EventStream {
  readonly events: StreamedEvent[] = []
  isEnded = false
  readonly #abort = new AbortController()

  private constructor(
    readonly response: Response,
    abort: AbortController
  ) {
    this.#abort = abort
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const abort = new AbortController()
    const response = await fetch(url, { headers, signal: abort.signal })
    const stream = new EventStream(response, abort)
    void stream.#read().catch(() => {})
    return stream
  }

  close() {
    this.#abort.abort()
  }

  /** Waits for an event, which may have arrived before. */
  find(what: string, isWanted: (event: StreamedEvent) => boolean, withinMs?: number) {
    return eventually(what, () => this.events.find(isWanted), withinMs)
  }

  async #read() {
    let text = ''
    const chunks = this.response.body!.pipeThrough(new TextDecoderStream())
    try {
      for await (const chunk of chunks as AsyncIterable<string>) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop()!
        for (const block of blocks) this.#add(block)
      }
    } finally {
      this.isEnded = true
    }
  }

  #add(block: string) {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => {
        const [name] = line.split(':', 1)
        return [name, line.slice(name.length + 2)]
      })
    )
    if (fields.event === undefined) return
    this.events.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
  }
}
