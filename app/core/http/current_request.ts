import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { HttpContext } from '@adonisjs/core/http'
import type { Place } from '#core/http/place'

/** A request that a short lane serves. It has no context of the framework. */
interface LaneRequest {
  requestId: string
  place: Pick<Place, 'caller'>
  response: { response: ServerResponse }
}

const laneRequests = new AsyncLocalStorage<LaneRequest | undefined>()

/** Does the work of a request that has no context. */
export const inShortLane = <T>(request: LaneRequest, work: () => T): T =>
  laneRequests.run(request, work)

/**
 * Does the work of a request with a context. It can begin in the asynchronous context of an earlier
 * request on the same connection.
 */
export const withOwnContext = <T>(work: () => T): T =>
  laneRequests.getStore() === undefined ? work() : laneRequests.run(undefined, work)

/** Undefined if no short lane serves the current request. */
export const currentLaneRequest = (): LaneRequest | undefined => laneRequests.getStore()

/** Of the request that is being handled; undefined if there is none. */
export const currentRequestId = (): string | undefined =>
  laneRequests.getStore()?.requestId ?? HttpContext.get()?.requestId
