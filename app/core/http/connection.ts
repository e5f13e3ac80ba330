import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RateLimited } from '#core/exceptions/problems'
import { sendProblem } from '#core/exceptions/raw_problem'
import type { TrackedResponse } from '#core/http/tracked_response'
import { RequestSource } from '#core/http/request_source'
import { requestTurns } from '#core/http/request_turns'
import { unreadResponses } from '#core/http/unread_responses'
import {
  clientAddress,
  clientNetwork,
  isTrustedProxy,
  plainAddress,
} from '#core/network/client_address'
import httpLimits from '#config/http_limits'

export type Serve = (request: IncomingMessage, response: TrackedResponse) => void

const { inFlight, waiting, ignored } = httpLimits.pipeline
const { restOfBody } = httpLimits

interface Client {
  address: string
  network: string
}

let isDraining = false

/** A client connection. Pipelined requests wait, and too many of them close it. */
export class Connection {
  readonly client: Client
  readonly #caller: RequestSource
  /** A trusted proxy forwards requests of many clients. */
  readonly #isProxy: boolean
  /** Responses that are not fully sent, in the order of the requests. */
  readonly #open: TrackedResponse[] = []
  readonly #waiting: { request: IncomingMessage; response: TrackedResponse }[] = []
  /** The last response is decided, so later requests are ignored. */
  #isClosing = false
  #ignored = 0
  /** The last request that was answered before all of it had arrived. */
  #answeredEarly: IncomingMessage | undefined

  constructor(
    readonly socket: Socket,
    private readonly serve: Serve
  ) {
    const address = plainAddress(socket.remoteAddress)
    this.client = { address, network: clientNetwork(address) }
    this.#caller = RequestSource.forKey(this.client.network)
    this.#isProxy = isTrustedProxy(address)
    connections.set(socket, this)
    openConnections.add(this)
    socket.once('close', () => this.#onClose())
    // Node calls it after the last response.
    const close = socket.destroySoon.bind(socket)
    socket.destroySoon = () => this.#closeAfterBody(close)
  }

  static of(socket: Duplex): Connection | undefined {
    return connections.get(socket)
  }

  /** Closes each connection after its last response, so that listeners can stop. */
  static drainAll() {
    isDraining = true
    for (const connection of openConnections) connection.#drain()
  }

  static get count() {
    return openConnections.size
  }

  /** Responses to requests that have arrived, at least in part. */
  get pendingResponses(): TrackedResponse[] {
    return [...this.#open, ...this.#waiting.map(({ response }) => response)]
  }

  /** Whether the rest of an already answered request is still arriving. */
  get isReadingAnsweredRequest(): boolean {
    return this.#answeredEarly?.complete === false
  }

  get unreadBytes(): number {
    const queued = this.#open.filter(({ socket }) => !socket)
    return queued.reduce(
      (sum, response) => sum + response.writableLength,
      this.socket.writableLength
    )
  }

  /** Whether no request is in progress, as far as it has arrived. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#waiting.length === 0
  }

  get isWriting(): boolean {
    return this.socket.writableLength > 0 || this.#open.some((response) => response.writableEnded)
  }

  accept(request: IncomingMessage, response: TrackedResponse) {
    response.peer = this
    response.on('close', onResponseClose)
    this.#answeredEarly = undefined
    if (this.#isClosing) this.#ignore()
    else if (this.#isFree && this.#waiting.length === 0) this.#start(request, response)
    else if (this.#waiting.length < waiting) this.#waiting.push({ request, response })
    else this.#refuse(request, response)
  }

  clientOf(request: IncomingMessage): Client {
    if (!this.#isProxy) return this.client
    const address = clientAddress(request)
    return { address, network: clientNetwork(address) }
  }

  /** The client whose response is read next. */
  get reader(): Client {
    const next = this.#open[0]
    return next ? this.clientOf(next.req) : this.client
  }

  watch() {
    unreadResponses.watch(this)
  }

  complete(response: TrackedResponse) {
    const index = this.#open.indexOf(response)
    if (index === -1) return
    this.#open.splice(index, 1)
    if (!response.req.complete) this.#answeredEarly = response.req
    // Other connections go first.
    if (this.#waiting.length > 0) setImmediate(() => this.#startNext())
    else if (isDraining && this.#open.length === 0) this.socket.end()
  }

  get #isFree() {
    return this.#open.length < inFlight
  }

  #startNext() {
    const next = this.#isFree ? this.#waiting.shift() : undefined
    if (next) this.#start(next.request, next.response)
  }

  #start(request: IncomingMessage, response: TrackedResponse) {
    if (this.socket.destroyed) return
    this.#open.push(response)
    if (isDraining && this.#waiting.length === 0) this.#closeAfter(response)
    requestTurns.begin(this.clientOf(request).network, () => {
      if (!this.socket.destroyed) this.serve(request, response)
    })
  }

  #refuse(request: IncomingMessage, response: TrackedResponse) {
    this.#isClosing = true
    const detail = 'Too many pipelined requests on this connection'
    const headers = { 'retry-after': '1', 'connection': 'close' }
    sendProblem(request, response, new RateLimited({ detail, headers }))
  }

  #ignore() {
    this.#ignored++
    if (this.#ignored > ignored) this.socket.destroy()
  }

  #drain() {
    const last = this.pendingResponses.at(-1)
    if (last) this.#closeAfter(last)
  }

  #closeAfter(response: TrackedResponse) {
    this.#isClosing = true
    if (!response.headersSent) response.setHeader('connection', 'close')
  }

  /**
   * Data that nobody reads would reset the connection, and a client that is still sending would
   * lose the response.
   */
  #closeAfterBody(close: () => void) {
    const last = this.pendingResponses.at(-1)
    if (!last?.writableEnded || last.req.complete) return close()
    this.#isClosing = true
    this.socket.end()
    last.req.once('end', close)
    const timer = setTimeout(() => this.socket.destroy(), restOfBody.ms)
    this.socket.once('close', () => clearTimeout(timer))
  }

  #onClose() {
    openConnections.delete(this)
    this.#caller.release()
    this.#waiting.length = 0
    // Node emits `close` only on the first of several responses.
    process.nextTick(() => {
      for (const response of [...this.#open]) if (!response.closed) response.emit('close')
    })
  }
}

const connections = new WeakMap<Duplex, Connection>()
const openConnections = new Set<Connection>()

function onResponseClose(this: TrackedResponse) {
  // After a disconnect, the request keeps its place until its work is done.
  if (this.writableEnded) this.place?.leave()
  else void Promise.resolve(this.work).finally(() => this.place?.leave())
  if (this.context) this.completed?.(this.context)
  this.peer?.complete(this)
}
