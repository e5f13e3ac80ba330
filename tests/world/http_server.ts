import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

const bodies = new WeakMap<IncomingMessage, Buffer>()

/** An HTTP server on loopback whose handler can change while it runs. */
export class TestHttpServer {
  readonly requests: {
    method: string
    url: string
    headers: IncomingMessage['headers']
    body: string
  }[] = []
  #server?: Server
  #port = 0

  constructor(public handler: Handler) {}

  static bodyOf(request: IncomingMessage): Buffer {
    return bodies.get(request) ?? Buffer.alloc(0)
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Listens; after a stop, on the same port. */
  async start(): Promise<this> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method = '', url = '', headers } = request
      const body = Buffer.concat(chunks)
      bodies.set(request, body)
      this.requests.push({ method, url, headers, body: body.toString() })
      await this.handler(request, response)
    }).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  async stop() {
    this.#server?.closeAllConnections()
    if (!this.#server?.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
