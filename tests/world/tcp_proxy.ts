import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { freePort } from '#tests/world/free_port'

/**
 * A TCP proxy on loopback whose connections can be cut, refused or left hanging, to put a service apart from its
 * database.
 *
 * @example
 * const proxy = await TcpProxy.inFrontOf(databaseUrl)
 * await proxy.refuse() // Those that are open stay open.
 */
export class TcpProxy {
  readonly #target: { host: string; port: number }
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #server?: Server
  #isStalled = false

  private constructor(target: { host: string; port: number }, port: number) {
    this.#target = target
    this.#port = port
  }

  /** A proxy to the server that `url` names; `proxy.url` is the same URL by way of it. */
  static async inFrontOf(url: string): Promise<TcpProxy & { url: string }> {
    const target = new URL(url)
    const port = await freePort()
    const proxy = new TcpProxy({ host: target.hostname, port: Number(target.port || 5432) }, port)
    await proxy.accept()
    const detour = new URL(url)
    detour.hostname = '127.0.0.1'
    detour.port = String(port)
    return Object.assign(proxy, { url: detour.href })
  }

  /** Takes new connections, also after `refuse`. */
  async accept() {
    if (this.#server) return
    this.#server = createServer((socket) => this.#forward(socket)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Refuses new connections. */
  refuse() {
    this.#server?.close()
    this.#server = undefined
  }

  /** Ends all open connections at once. */
  cut() {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Lets nothing through any more, without a word: what a router does that has forgotten a connection. */
  stall() {
    this.#isStalled = true
    for (const socket of this.#sockets) socket.pause()
  }

  resume() {
    this.#isStalled = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Forgets the open connections without a word; new ones go through. */
  abandon() {
    for (const socket of this.#sockets) socket.pause()
  }

  stop() {
    this.refuse()
    this.cut()
  }

  #forward(near: Socket) {
    const far = connect(this.#target)
    this.#join(near, far)
    this.#join(far, near)
  }

  #join(from: Socket, to: Socket) {
    this.#sockets.add(from)
    if (this.#isStalled) from.pause()
    from.on('data', (chunk) => to.write(chunk))
    from.on('error', () => {})
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    if (this.#isStalled) from.pause()
  }
}
