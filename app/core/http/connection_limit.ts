import type { Socket } from 'node:net'
import { Connection } from '#core/http/connection'
import { clientNetwork, isTrustedProxy, plainAddress } from '#core/network/client_address'
import httpLimits from '#config/http_limits'

/** Trusted proxies forward for many clients, so they do not count as one client. */
const PROXIES = ''

/**
 * Limits the connections of a listener, and those of one client to its share. When all are taken, a
 * new one replaces an idle one of the client that holds the most, so that idle connections do not
 * block other clients.
 */
export class ConnectionLimit {
  readonly #mostPerClient: number
  /** By the network of the client's address, oldest first. */
  readonly #sockets = new Map<string, Set<Socket>>()
  #count = 0

  constructor(private readonly most = httpLimits.connections) {
    this.#mostPerClient = Math.max(1, Math.floor(most * httpLimits.perCaller))
  }

  /** Whether the connection may stay; if not, it is closed. */
  admit(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress)
    const network = isTrustedProxy(address) ? PROXIES : clientNetwork(address)
    if (this.#isRefused(network)) {
      socket.destroy()
      return false
    }
    this.#add(network, socket)
    socket.once('close', () => this.#delete(network, socket))
    return true
  }

  #isRefused(network: string) {
    const held = this.#sockets.get(network)?.size ?? 0
    if (network !== PROXIES && held >= this.#mostPerClient) return true
    return this.#count >= this.most && !this.#closeIdle()
  }

  /** @returns false when no connection is idle */
  #closeIdle(): boolean {
    let held = 0
    let idle: Socket | undefined
    for (const [network, sockets] of this.#sockets) {
      if (network === PROXIES || sockets.size <= held) continue
      const found = [...sockets].find((socket) => Connection.of(socket)?.isIdle)
      if (found) [held, idle] = [sockets.size, found]
    }
    idle?.destroy()
    return idle !== undefined
  }

  #add(network: string, socket: Socket) {
    const sockets = this.#sockets.get(network)
    if (sockets) sockets.add(socket)
    else this.#sockets.set(network, new Set([socket]))
    this.#count++
  }

  #delete(network: string, socket: Socket) {
    const sockets = this.#sockets.get(network)
    if (!sockets?.delete(socket)) return
    if (sockets.size === 0) this.#sockets.delete(network)
    this.#count--
  }
}
