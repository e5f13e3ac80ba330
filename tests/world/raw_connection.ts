import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

/** A connection to which a test writes raw text. */
export class RawConnection {
  #received = ''

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (this.#received += chunk))
    socket.on('error', () => {})
  }

  /** @param from A loopback address to connect from, such as `127.0.0.2` */
  static async to(url: string, from?: string): Promise<RawConnection> {
    const socket = socketTo(url, from)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Reads nothing until `read` is called. */
  static async unreadTo(url: string, from?: string): Promise<RawConnection> {
    // Before it is connected, or it would read ahead.
    const socket = socketTo(url, from).pause()
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Reads what has arrived, then pauses again. */
  read() {
    this.socket.once('data', () => this.socket.pause())
    this.socket.resume()
  }

  readOn() {
    this.socket.resume()
    return this
  }

  /** Lets the test write on after the other side has ended. */
  keepOpen() {
    this.socket.allowHalfOpen = true
    return this
  }

  /** Whether everything that the other side will send has arrived. */
  get isEnded() {
    return this.socket.readableEnded
  }

  get received() {
    return this.#received
  }

  get isOpen() {
    return !this.socket.closed
  }

  write(text: string) {
    this.socket.write(text, 'latin1')
    return this
  }

  /** Writes, and waits until the data is flushed or the connection closed. */
  async drained(text: string) {
    const { socket } = this
    if (socket.destroyed || socket.write(text, 'latin1')) return
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    await once(socket, 'drain', { signal: gone.signal }).catch(() => undefined)
  }

  /** Everything received until the other side closed. */
  async closed(): Promise<string> {
    if (this.isOpen) await once(this.socket, 'close')
    return this.#received
  }

  destroy() {
    this.socket.destroy()
  }
}

function socketTo(url: string, from?: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ port: Number(port), host: hostname, localAddress: from })
}

/** Parses the last response in `text`. */
export function lastResponse(text: string) {
  const [head, body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
  const [statusLine, ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}
