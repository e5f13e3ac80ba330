import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { freePort } from '#tests/world/free_port'

/** A TCP proxy on loopback that can cut, refuse or stall the connections to a database. */
export class TcpProxy {
  readonly #target: { host: string; port: number }
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #server?: Server
  #isStalled = false
  #refused?: string

  private constructor(target: { host: string; port: number }, port: number) {
    this.#target = target
    this.#port = port
  }

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

  async accept() {
    if (this.#server) return
    this.#server = createServer((socket) => this.#forward(socket)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  refuse() {
    this.#server?.close()
    this.#server = undefined
  }

  /** Refuses new connections that begin by naming this, such as an `application_name`. */
  refuseNaming(name: string | undefined) {
    this.#refused = name
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Forwards nothing more, like a router that lost its connection table. */
  stall() {
    this.#isStalled = true
    for (const socket of this.#sockets) socket.pause()
  }

  resume() {
    this.#isStalled = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Stalls the open connections; new ones work. */
  abandon() {
    for (const socket of this.#sockets) socket.pause()
  }

  stop() {
    this.refuse()
    this.cut()
  }

  #forward(near: Socket) {
    const far = connect(this.#target)
    near.once('data', (greeting) => {
      if (this.#refused !== undefined && greeting.includes(this.#refused)) near.destroy()
    })
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
