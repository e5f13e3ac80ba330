import { isIP, type Socket } from 'node:net'
import { Agent, type Dispatcher, buildConnector, request } from 'undici'
import { guardedLookup } from '#core/network/guarded_lookup'
import { OutboundError } from '#core/network/outbound_error'
import { type UrlAuthor, mayConnectTo } from '#core/network/address_policy'

/** Limits of conventions.md#outgoing-limits. */
export const OUTBOUND_TIMEOUT_MS = 5_000
export const OUTBOUND_MAX_BYTES = 1_048_576
const OUTBOUND_DROPPED_BYTES = 16_384

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** Decides which addresses may be reached. */
  author: UrlAuthor
  /** For callers with less time than the usual limit. */
  timeoutMs?: number
  /** For callers that need only the status: the body is discarded. */
  ignoreBody?: boolean
}

export interface OutboundResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const agents: Record<UrlAuthor, Agent> = {
  operator: guardedAgent('operator'),
  stranger: guardedAgent('stranger'),
}

/**
 * The one way out for HTTP: a time limit over everything, a size cap, no redirects, and the address checked on the
 * connection that is used, so that a name that resolves differently the second time gains nothing.
 *
 * @throws OutboundError whenever there is no complete answer
 */
export async function outbound(url: string, options: OutboundRequest): Promise<OutboundResponse> {
  try {
    const response = await request(url, {
      method: options.method ?? 'GET',
      headers: options.headers,
      body: options.body,
      dispatcher: agents[options.author],
      signal: AbortSignal.timeout(options.timeoutMs ?? OUTBOUND_TIMEOUT_MS),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: options.ignoreBody ? await dropped(response.body) : await readCapped(response.body),
    }
  } catch (error) {
    throw OutboundError.from(error)
  }
}

/** Closes idle connections, so that the process can end. */
export async function closeOutbound() {
  await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
}

/** A short body is read to its end, so that the connection can be reused. */
async function dropped(body: Dispatcher.ResponseData['body']) {
  await body.dump({ limit: OUTBOUND_DROPPED_BYTES })
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

function guardedAgent(author: UrlAuthor) {
  const connect = buildConnector({
    timeout: OUTBOUND_TIMEOUT_MS,
    lookup: guardedLookup(author),
  })
  return new Agent({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) && !mayConnectTo(host, author)) {
        callback(new OutboundError('address'), null)
        return
      }
      connect(options, (...result: [Error, null] | [null, Socket]) => {
        const [error, socket] = result
        if (error) return callback(error, null)
        if (mayConnectTo(socket!.remoteAddress ?? '', author)) return callback(null, socket!)
        socket!.destroy()
        callback(new OutboundError('address'), null)
      })
    },
  })
}
