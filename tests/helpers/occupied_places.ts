import { Place } from '#core/http/place'
import type { RequestClass, RequestKind } from '#core/http/request_kind'
import httpLimits from '#config/http_limits'

const classes = Object.entries(httpLimits.inFlight) as [RequestClass, number][]

/** Takes every place of this process. Call the result to release them. */
export function fillAllClasses() {
  return take((capacity) => Array.from({ length: capacity }, (_, index) => `caller ${index}`))
}

/** Takes one caller's share of each class, in progress and arriving. */
export function takeShareOf(caller: string) {
  const { perCaller, arriving } = httpLimits
  const inProgress = take((capacity) => Array(Math.floor(capacity * perCaller)).fill(caller))
  const arrivals = take(
    (capacity) => Array(capacity * arriving.perPlace * perCaller).fill(caller),
    true
  )
  return () => [inProgress, arrivals].forEach((leave) => leave())
}

function take(callers: (capacity: number) => string[], isArriving = false) {
  const places = classes.flatMap(([name, capacity]) => {
    const kind: RequestKind = { class: name, identifiesCaller: isArriving, readsBody: false }
    return callers(capacity).map((caller) => new Place(kind, caller, isArriving))
  })
  return () => places.forEach((place) => place.leave())
}
