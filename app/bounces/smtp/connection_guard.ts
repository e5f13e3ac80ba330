import type { Server, Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { clientNetwork, plainAddress } from '#core/network/client_address'
import bouncesConfig from '#config/bounces'

const CHECK_MS = 1_000

type Client = Pick<SMTPServerSession, 'remoteAddress' | 'remotePort'>

/** Ends connections that last too long or send too much, whatever they send. */
export class ConnectionGuard {
  /** When each must have ended, oldest first. */
  readonly #sockets = new Map<Socket, number>()
  /** Those that send a report, or have named its recipient. */
  readonly #busy = new WeakSet<Socket>()
  readonly #timer: NodeJS.Timeout

  constructor(server: Server) {
    // STARTTLS removes listeners, so that no event tells when such a connection has closed.
    server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, performance.now() + bouncesConfig.connectionMs)
    })
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  get count(): number {
    return this.#open().length
  }

  /** Connections from the network of the address: a client can have many IPv6 addresses. */
  countAround(address: string): number {
    const network = clientNetwork(address)
    return this.#open().filter((socket) => networkOf(socket) === network).length
  }

  /**
   * Ends an idle connection of the client that holds the most, if that is more than the new one.
   * @returns false if there is none
   */
  makeRoomFor({ remoteAddress }: Client): boolean {
    const byNetwork = Map.groupBy(this.#open(), networkOf)
    const [most] = [...byNetwork.values()].toSorted((a, b) => b.length - a.length)
    if (!most || most.length <= this.countAround(remoteAddress)) return false
    const idle = most.find((socket) => !this.#busy.has(socket))
    idle?.destroy()
    return idle !== undefined
  }

  setBusy(client: Client, isBusy: boolean) {
    const socket = this.#socketOf(client)
    if (!socket) return
    if (isBusy) this.#busy.add(socket)
    else this.#busy.delete(socket)
  }

  /** Ends a connection once what was written is sent. Nothing more is read. */
  end(client: Client) {
    this.#socketOf(client)?.destroySoon()
  }

  stop() {
    clearInterval(this.#timer)
  }

  #open(): Socket[] {
    return [...this.#sockets.keys()].filter(({ destroyed }) => !destroyed)
  }

  #socketOf({ remoteAddress, remotePort }: Client): Socket | undefined {
    return this.#open().find(
      (socket) => isOf(socket, remoteAddress) && socket.remotePort === remotePort
    )
  }

  #check() {
    const now = performance.now()
    for (const [socket, endsAt] of this.#sockets) {
      const isTooLong = now > endsAt || socket.bytesRead > bouncesConfig.maxConnectionBytes
      if (isTooLong) socket.destroy()
      if (socket.destroyed) this.#sockets.delete(socket)
    }
  }
}

const networkOf = (socket: Socket) => clientNetwork(plainAddress(socket.remoteAddress))

/** The library writes IPv4 addresses without the prefix of IPv6. */
const isOf = ({ remoteAddress }: Socket, address: string) =>
  remoteAddress?.replace(/^::ffff:/i, '').toLowerCase() === address
