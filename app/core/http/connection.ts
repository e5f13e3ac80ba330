import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RateLimited } from '#core/exceptions/problems'
import { sendProblem } from '#core/exceptions/raw_problem'
import type { Answer } from '#core/http/answer'
import { Caller } from '#core/http/callers'
import { unreadAnswers } from '#core/http/unread_answers'
import {
  clientAddress,
  clientNetwork,
  isTrustedProxy,
  plainAddress,
} from '#core/network/client_address'
import limits from '#config/limits'

export type Serve = (request: IncomingMessage, response: Answer) => void

const { inFlight, waiting, ignored } = limits.pipeline

/** A client's address, and the network that per-client limits count by. */
interface Client {
  address: string
  network: string
}

let isEnding = false

/**
 * A connection of a client. Only a few of its requests are in progress at a time. Further pipelined
 * requests wait; too many of them close the connection.
 */
export class Connection {
  readonly client: Client
  readonly #caller: Caller
  /** Whether the other side is a trusted proxy, which forwards for many clients. */
  readonly #isProxy: boolean
  /** Answers of requests in progress that are not fully sent, in the order of the requests. */
  readonly #open: Answer[] = []
  readonly #waiting: { request: IncomingMessage; response: Answer }[] = []
  /** Its last answer is determined, so later requests are ignored. */
  #isClosing = false
  #ignored = 0

  constructor(
    readonly socket: Socket,
    private readonly serve: Serve
  ) {
    const address = plainAddress(socket.remoteAddress)
    this.client = { address, network: clientNetwork(address) }
    // Created once per connection, not for each request.
    this.#caller = Caller.named(this.client.network)
    this.#isProxy = isTrustedProxy(address)
    connections.set(socket, this)
    all.add(this)
    socket.once('close', () => this.#closed())
  }

  static of(socket: Duplex): Connection | undefined {
    return connections.get(socket)
  }

  /**
   * From now on, connections close after their last answer, so that listeners can stop without
   * cutting anybody off.
   */
  static endAll() {
    isEnding = true
    for (const connection of all) connection.#end()
  }

  static get count() {
    return all.size
  }

  /** Answers to requests that have arrived, partly or completely. */
  get awaited(): Answer[] {
    return [...this.#open, ...this.#waiting.map(({ response }) => response)]
  }

  /** The number of bytes of answers that the client has not read yet. */
  get unreadBytes(): number {
    const behind = this.#open.filter(({ socket }) => !socket)
    return behind.reduce((sum, answer) => sum + answer.writableLength, this.socket.writableLength)
  }

  /** Whether no request is in progress, as far as it has arrived. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#waiting.length === 0
  }

  /** Whether an answer is complete but not fully sent. */
  get isWriting(): boolean {
    return this.socket.writableLength > 0 || this.#open.some((answer) => answer.writableEnded)
  }

  take(request: IncomingMessage, response: Answer) {
    response.peer = this
    response.on('close', settle)
    if (this.#isClosing) this.#ignore()
    else if (this.#isFree && this.#waiting.length === 0) this.#start(request, response)
    else if (this.#waiting.length < waiting) this.#waiting.push({ request, response })
    else this.#refuse(request, response)
  }

  /** The client of a request, by address. */
  clientOf(request: IncomingMessage): Client {
    if (!this.#isProxy) return this.client
    const address = clientAddress(request)
    return { address, network: clientNetwork(address) }
  }

  /** Called when the client does not read what was written immediately. */
  watch() {
    unreadAnswers.watch(this)
  }

  /** The answer was sent, or the client has disconnected. */
  settled(answer: Answer) {
    const index = this.#open.indexOf(answer)
    if (index === -1) return
    this.#open.splice(index, 1)
    // Other connections have their turn first.
    if (this.#waiting.length > 0) setImmediate(() => this.#startNext())
    else if (isEnding && this.#open.length === 0) this.socket.end()
  }

  get #isFree() {
    return this.#open.length < inFlight
  }

  #startNext() {
    const next = this.#isFree ? this.#waiting.shift() : undefined
    if (next) this.#start(next.request, next.response)
  }

  #start(request: IncomingMessage, response: Answer) {
    if (this.socket.destroyed) return
    this.#open.push(response)
    if (isEnding && this.#waiting.length === 0) this.#closeAfter(response)
    this.serve(request, response)
  }

  #refuse(request: IncomingMessage, response: Answer) {
    this.#isClosing = true
    const detail = 'Too many pipelined requests on this connection'
    const headers = { 'retry-after': '1', 'connection': 'close' }
    sendProblem(request, response, new RateLimited({ detail, headers }))
  }

  #ignore() {
    this.#ignored++
    if (this.#ignored > ignored) this.socket.destroy()
  }

  #end() {
    const last = this.awaited.at(-1)
    if (last) this.#closeAfter(last)
  }

  #closeAfter(answer: Answer) {
    this.#isClosing = true
    if (!answer.headersSent) answer.setHeader('connection', 'close')
  }

  #closed() {
    all.delete(this)
    this.#caller.letGo()
    this.#waiting.length = 0
    // Node emits `close` only on the first of several answers.
    process.nextTick(() => {
      for (const answer of [...this.#open]) if (!answer.closed) answer.emit('close')
    })
  }
}

const connections = new WeakMap<Duplex, Connection>()
const all = new Set<Connection>()

function settle(this: Answer) {
  // If the client has left, the request keeps its place until its work is done.
  if (this.writableEnded) this.place?.leave()
  else void Promise.resolve(this.work).finally(() => this.place?.leave())
  if (this.context) this.completed?.(this.context)
  this.peer?.settled(this)
}
