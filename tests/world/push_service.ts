import { type ECDH, createECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decrypt } from 'http_ece'

export interface PushedMessage {
  headers: IncomingHttpHeaders
  size: number
  payload: Record<string, unknown>
}

/** A subscribed browser, which alone can decrypt its messages. */
export class Browser {
  readonly path = `/push/${randomUUID()}`
  readonly messages: PushedMessage[] = []
  readonly #key: ECDH = createECDH('prime256v1')
  readonly #secret = randomBytes(16).toString('base64url')
  readonly #publicKey = this.#key.generateKeys('base64url')
  /** The status of the push service's response, or `stall` for none. */
  response: number | 'stall' = 201

  constructor(readonly origin: string) {}

  get subscription() {
    return {
      endpoint: `${this.origin}${this.path}`,
      keys: { p256dh: this.#publicKey, auth: this.#secret },
    }
  }

  read(headers: IncomingHttpHeaders, body: Buffer) {
    const text = decrypt(body, {
      version: 'aes128gcm',
      privateKey: this.#key,
      authSecret: this.#secret,
    })
    this.messages.push({ headers, size: text.length, payload: JSON.parse(text.toString()) })
  }
}

/** A push service on loopback that hands messages to its browsers. */
export class PushService {
  readonly #browsers = new Map<string, Browser>()
  #server!: Server
  #url = ''

  async start() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const browser = this.#browsers.get(request.url ?? '')
      if (!browser) return response.writeHead(404).end()
      if (browser.response === 'stall') return
      const taken = browser.response >= 200 && browser.response <= 299
      if (taken) browser.read(request.headers, Buffer.concat(chunks))
      response.writeHead(browser.response).end()
    }).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async stop() {
    this.dropConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Ends the requests that wait for a response. */
  dropConnections() {
    this.#server.closeAllConnections()
  }

  newBrowser() {
    const browser = new Browser(this.#url)
    this.#browsers.set(browser.path, browser)
    return browser
  }
}
