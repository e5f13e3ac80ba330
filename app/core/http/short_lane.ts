import type { IncomingMessage } from 'node:http'
import { withOwnContext } from '#core/http/current_request'
import type { TrackedResponse } from '#core/http/tracked_response'

/** Hands a request to its route. */
export type Route = (request: IncomingMessage, response: TrackedResponse) => unknown

/**
 * Serves the usual requests of one route without the framework, which takes longer than a cached
 * check. It refuses nothing: whatever is unusual or fails is left to the route, with the body that
 * has been read.
 */
export interface ShortLane {
  path: string
  takes(request: IncomingMessage): boolean
  serve(request: IncomingMessage, response: TrackedResponse, route: Route): unknown
}

const lanes = new Map<string | undefined, ShortLane>()

export function useShortLane(lane: ShortLane) {
  lanes.set(lane.path, lane)
}

/** Serves a request, without the framework if it is usual. */
export const throughShortLane =
  (route: Route): Route =>
  (request, response) => {
    const lane = lanes.get(request.url)
    return lane?.takes(request)
      ? lane.serve(request, response, route)
      : withOwnContext(() => route(request, response))
  }
