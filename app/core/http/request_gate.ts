import type { IncomingMessage, ServerResponse } from 'node:http'
import limits from '#config/limits'

export type RequestClass = keyof typeof limits.inFlight

/** Requests of one class that are being answered. */
class Share {
  readonly responses = new Set<ServerResponse>()
  refused = 0

  constructor(readonly capacity: number) {}
}

const shares: Record<RequestClass, Share> = {
  checks: new Share(limits.inFlight.checks),
  ownChecks: new Share(limits.inFlight.ownChecks),
  sends: new Share(limits.inFlight.sends),
  streams: new Share(limits.inFlight.streams),
  operations: new Share(limits.inFlight.operations),
  other: new Share(limits.inFlight.other),
}

let isEnding = false

/**
 * Bounds how many requests are answered at a time, so that too many wait nowhere: one beyond its class's share is to be
 * refused at once. All that a request costs here is a place in a set.
 */
export const requestGate = {
  /** False when the request's class has no place left; its place is free again once the answer is out. */
  admit({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
    const share = shares[classOf(url)]
    if (share.responses.size >= share.capacity) {
      share.refused++
      return false
    }
    share.responses.add(response)
    response.once('close', () => share.responses.delete(response))
    if (isEnding) response.setHeader('connection', 'close')
    return true
  },

  /** The answers that this connection waits for. */
  *responsesOn(socket: unknown): Iterable<ServerResponse> {
    for (const { responses } of Object.values(shares)) {
      for (const response of responses) if (response.req.socket === socket) yield response
    }
  },

  /** From now on every answer ends its connection, so that the listeners can close without cutting anybody off. */
  end() {
    isEnding = true
    for (const { responses } of Object.values(shares)) {
      for (const response of responses) {
        if (!response.headersSent) response.setHeader('connection', 'close')
      }
    }
  },

  /** By class: how many are being answered, and how many were refused so far. */
  usage() {
    return Object.entries(shares).map(([name, { responses, refused }]) => {
      return { name, inFlight: responses.size, refused }
    })
  },
}

/** By the text of the path alone, before anything is decoded; what looks unusual is `other`. */
export function classOf(url: string): RequestClass {
  if (url.startsWith('/api/check')) return 'checks'
  if (url.startsWith('/api/profile/me/check')) return 'ownChecks'
  if (url.startsWith('/api/internal/') || url.startsWith('/api/idp/notifications/')) return 'sends'
  if (url.startsWith('/api/health/') || url.startsWith('/metrics')) return 'operations'
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.endsWith('/stream') ? 'streams' : 'other'
}
