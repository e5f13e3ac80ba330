import { AsyncLocalStorage } from 'node:async_hooks'
import { constants } from 'node:crypto'
import { addAbortListener } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { Agent, type Dispatcher, buildConnector, request } from 'undici'
import { guardedSocket } from '#core/network/guarded_socket'
import { MeteredSocket } from '#core/network/metered_socket'
import { guardedLookup } from '#core/network/guarded_lookup'
import { limitResponses } from '#core/network/limit_responses'
import type { Owner } from '#core/values/fair_queue'
import { OutboundError } from '#core/network/outbound_error'
import { outboundTurns } from '#core/network/outbound_turns'
import { type UrlAuthor, mayConnectTo } from '#core/network/address_policy'

/** See conventions.md#outgoing-limits. */
export const OUTBOUND_TIMEOUT_MS = 5_000
export const OUTBOUND_MAX_BYTES = 1_048_576
const MAX_DISCARDED_BYTES = 16_384
/** What a response may take besides its body. */
const MAX_OVERHEAD_BYTES = 65_536
const DISCARD_MS = 1_000
/**
 * TLS 1.3, and what modern servers use of TLS 1.2. A server could choose a modulus for DHE that
 * takes a second.
 */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
  'ECDHE+AES',
].join(':')
const CURVES = 'X25519:P-256:P-384'
/** How long a server can keep an idle connection open. */
const MAX_IDLE_MS = 30_000

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  author: UrlAuthor
  timeoutMs?: number
  ignoreBody?: boolean
  /** For whom it is sent: handshakes take turns, except the operator's. By default the host. */
  owner?: Owner
  /** Ends the request early. */
  signal?: AbortSignal
}

export interface OutboundResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Of the request that opens a connection. */
const owners = new AsyncLocalStorage<Owner | undefined>()

/** For requests whose body is read. */
const agents = guardedAgents(OUTBOUND_MAX_BYTES)
/** For requests whose body is ignored. */
const statusAgents = guardedAgents(MAX_DISCARDED_BYTES)

/**
 * Checks the address of the actual connection, so DNS rebinding has no effect. @throws
 * OutboundError
 */
export async function outbound(url: string, options: OutboundRequest): Promise<OutboundResponse> {
  const timeLimit = AbortSignal.timeout(options.timeoutMs ?? OUTBOUND_TIMEOUT_MS)
  const signal = AbortSignal.any([timeLimit, ...(options.signal ? [options.signal] : [])])
  try {
    const sent = owners.run(options.owner, () =>
      request(url, {
        method: options.method ?? 'GET',
        headers: options.headers,
        body: options.body,
        dispatcher: (options.ignoreBody ? statusAgents : agents)[options.author],
        signal,
      })
    )
    const response = await unlessAborted(sent, signal)
    return {
      status: response.statusCode,
      headers: response.headers,
      body: options.ignoreBody ? await discard(response.body) : await readCapped(response.body),
    }
  } catch (error) {
    throw OutboundError.from(error)
  }
}

/** While a connection is being opened, undici does not notice that its request was aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const listener = addAbortListener(signal, () => reject(signal.reason))
  work.then(resolve, reject).finally(() => listener[Symbol.dispose]())
  return promise
}

/** Closes idle connections, so that the process can exit. */
export async function closeOutbound() {
  const all = [agents, statusAgents].flatMap((each) => Object.values(each))
  await Promise.all(all.map((agent) => agent.destroy()))
}

/**
 * Reads a short body to its end, so that the connection can be reused. A request whose status has
 * arrived does not fail because of a body that nobody reads.
 */
async function discard(body: Dispatcher.ResponseData['body']) {
  const signal = AbortSignal.timeout(DISCARD_MS)
  await body.dump({ limit: MAX_DISCARDED_BYTES, signal }).catch(() => {})
  return Buffer.alloc(0)
}

async function readCapped(stream: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > OUTBOUND_MAX_BYTES) throw new OutboundError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function guardedAgents(maxBodyBytes: number): Record<UrlAuthor, Agent> {
  return {
    operator: guardedAgent('operator', maxBodyBytes),
    untrusted: guardedAgent('untrusted', maxBodyBytes),
  }
}

function guardedAgent(author: UrlAuthor, maxBodyBytes: number) {
  // To find out whether a server speaks HTTP/2, undici opens one connection after another: a server
  // that does not finish its TLS handshake would keep all its requests waiting.
  const allowH2 = false
  const connect = buildConnector({
    allowH2,
    timeout: OUTBOUND_TIMEOUT_MS,
    lookup: guardedLookup(author),
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ciphers: CIPHERS,
    ecdhCurve: CURVES,
  })
  return new Agent({
    allowH2,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (options.protocol === 'https:') {
        const socket = guardedSocket({ host, port: Number(options.port || 443) }, author)
        const metered = new MeteredSocket(socket, {
          owner: author === 'operator' ? null : (owners.getStore() ?? { group: host }),
          onWork: (ms) => outboundTurns.charge(ms),
        })
        connect({ ...options, httpSocket: metered as unknown as Socket }, (...result) => {
          if (result[1]) limitResponses(result[1], maxBodyBytes + MAX_OVERHEAD_BYTES, metered)
          callback(...result)
        })
        return
      }
      if (isIP(host) && !mayConnectTo(host, author)) {
        callback(new OutboundError('address'), null)
        return
      }
      connect(options, (...result: [Error, null] | [null, Socket]) => {
        const [error, socket] = result
        if (error) return callback(error, null)
        if (!mayConnectTo(socket!.remoteAddress ?? '', author)) {
          socket!.destroy()
          return callback(new OutboundError('address'), null)
        }
        limitResponses(socket!, maxBodyBytes + MAX_OVERHEAD_BYTES)
        callback(null, socket!)
      })
    },
  })
}
