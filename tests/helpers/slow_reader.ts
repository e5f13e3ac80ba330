import { once } from 'node:events'
import { type IncomingMessage, get } from 'node:http'
import { eventually } from '#tests/helpers/eventually'

/** A client that reads a response in small pieces with pauses in between. */
export class SlowReader {
  #received = ''

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8')
  }

  static async of(url: string, headers: Record<string, string>): Promise<SlowReader> {
    const request = get(url, { headers })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    // A connection that is closed too early is an error of both.
    request.on('error', () => {})
    response.on('error', () => {})
    return new SlowReader(response)
  }

  get status() {
    return this.response.statusCode
  }

  /** Whether the response arrived as a whole. */
  get isComplete() {
    return this.response.complete
  }

  /** Everything that arrives until the response or the connection ends. */
  async readAll(withinMs: number): Promise<string> {
    await eventually('the response ends', () => this.#readPiece(), withinMs)
    return this.#received
  }

  #readPiece() {
    this.#received += this.response.read() ?? ''
    return this.response.closed
  }
}
