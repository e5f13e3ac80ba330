import cluster from 'node:cluster'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as SocketServer } from 'node:net'

/** Node accepts one connection per socket and turn of the event loop. */
const SOCKETS = 16

/** The parent of several workers accepts their connections, and does nothing else. */
const canSharePort = () => process.platform === 'linux' && !cluster.isWorker

/**
 * Accepts many connections in each turn of the event loop. Otherwise new clients, such as health
 * probes, would wait one turn for each connection before theirs (ADR 0024).
 */
export class HttpListener<
  Request extends typeof IncomingMessage,
  Response extends typeof ServerResponse,
> extends Server<Request, Response> {
  #others: SocketServer[] = []
  #isClosed = false

  /** Listens at a port (a number) of a host (a string), as the framework does. */
  override listen(port?: unknown, host?: unknown): this {
    if (!canSharePort()) return super.listen(port as number, host as string)
    this.#claim(port as number, host as string)
    return this
  }

  /** @param callback Called when no connection is open, whichever socket accepted it */
  override close(callback?: (error?: Error) => void): this {
    this.#isClosed = true
    const others = this.#others.map(
      (other) => new Promise<void>((resolve) => other.close(() => resolve()))
    )
    return super.close((error) => void Promise.all(others).then(() => callback?.(error)))
  }

  /** Sockets that share a port would also share it with another process that serves something. */
  #claim(port: number, host: string) {
    const probe = new SocketServer()
    probe.once('error', (error) => this.emit('error', error))
    probe.listen({ port, host, exclusive: true }, () =>
      probe.close(() => this.#listenTogether(port, host))
    )
  }

  #listenTogether(port: number, host: string) {
    if (this.#isClosed) return
    super.listen({ port, host, reusePort: true }, () => {
      const shared = { port: (this.address() as AddressInfo).port, host, reusePort: true }
      this.#others = Array.from({ length: SOCKETS - 1 }, () => this.#another().listen(shared))
    })
  }

  #another(): SocketServer {
    const options = { allowHalfOpen: true, noDelay: true }
    const another = new SocketServer(options, (socket) => this.emit('connection', socket))
    // One socket is enough to serve.
    return another.on('error', () => another.close())
  }
}
