import type { Server, Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { clientNetwork, plainAddress } from '#core/network/client_address'
import bouncesConfig from '#config/bounces'

const CHECK_MS = 1_000

type Client = Pick<SMTPServerSession, 'remoteAddress' | 'remotePort'>

/** Ends connections that last too long or send too much, whatever they send. */
export class ConnectionGuard {
  readonly #sockets = new Map<Socket, number>()
  readonly #timer: NodeJS.Timeout

  constructor(server: Server) {
    // STARTTLS removes listeners, so that no event tells when such a connection has closed.
    server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, performance.now() + bouncesConfig.connectionMs)
    })
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  /** Connections from the network of the address: a client can have many IPv6 addresses. */
  countAround(address: string): number {
    const network = clientNetwork(address)
    const isNear = (socket: Socket) =>
      !socket.destroyed && clientNetwork(plainAddress(socket.remoteAddress)) === network
    return this.#sockets.keys().reduce((sum, socket) => sum + Number(isNear(socket)), 0)
  }

  /** Ends a connection once what was written is sent. Nothing more is read. */
  end({ remoteAddress, remotePort }: Client) {
    for (const socket of this.#sockets.keys()) {
      if (isOf(socket, remoteAddress) && socket.remotePort === remotePort) socket.destroySoon()
    }
  }

  stop() {
    clearInterval(this.#timer)
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

/** The library writes IPv4 addresses without the prefix of IPv6. */
const isOf = ({ remoteAddress }: Socket, address: string) =>
  remoteAddress?.replace(/^::ffff:/i, '').toLowerCase() === address
