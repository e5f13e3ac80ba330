import { RequestSource } from '#core/http/request_source'
import { type IncompleteBody, IncompleteBodies } from '#core/http/incomplete_bodies'
import type { RequestClass, RequestKind } from '#core/http/request_kind'
import { Share } from '#core/http/share'
import httpLimits from '#config/http_limits'

class ClassShares {
  readonly working: Share
  /** Requests that are being authenticated or whose body is incomplete. */
  readonly arriving: Share
  readonly bytes = new Share(httpLimits.arriving.bytes)
  readonly incomplete = new IncompleteBodies()

  constructor(
    readonly name: string,
    capacity: number
  ) {
    this.working = new Share(capacity)
    this.arriving = new Share(capacity * httpLimits.arriving.perPlace)
  }
}

const classes = Object.fromEntries(
  Object.entries(httpLimits.inFlight).map(([name, capacity]) => [
    name,
    new ClassShares(name, capacity),
  ])
) as Record<RequestClass, ClassShares>

export function placeUsage() {
  return Object.values(classes).map(({ name, working, arriving, bytes }) => {
    const shares = [working, arriving, bytes]
    return {
      name,
      inFlight: working.taken,
      arriving: arriving.taken,
      refused: {
        caller: shares.reduce((sum, { refused }) => sum + refused.caller, 0),
        full: shares.reduce((sum, { refused }) => sum + refused.full, 0),
      },
    }
  })
}

/**
 * A request is arriving until it is authenticated and its body complete, then in progress until its
 * response is complete (conventions.md#request-classes).
 */
export class Place implements IncompleteBody {
  readonly #shares: ClassShares
  /** Null once it has left. */
  #share: Share | null = null
  /** Set while the body is arriving. */
  #onGiveUp: (() => void) | null = null
  bytes = 0
  older: IncompleteBody | null = null
  newer: IncompleteBody | null = null
  /** How long the body took to arrive after the guards, in milliseconds. */
  bodyMs = 0
  caller: RequestSource

  /** @throws RateLimited, Overloaded if there is no place */
  constructor(
    kind: RequestKind,
    client: string,
    private readonly awaitsBody: boolean
  ) {
    this.#shares = classes[kind.class]
    const { arriving, working } = this.#shares
    const isArriving = awaitsBody || kind.identifiesCaller
    if (isArriving) working.requireCapacity()
    this.caller = RequestSource.forKey(client)
    this.#enter(isArriving ? arriving : working)
  }

  /** Counts the request towards its authenticated caller. @throws RateLimited, Overloaded */
  identify(key: string) {
    if (this.#share === null) return
    const { arriving, working } = this.#shares
    const isArriving = this.awaitsBody && this.#share === arriving
    this.leave()
    this.caller = RequestSource.forKey(key)
    this.#enter(isArriving ? arriving : working)
  }

  /**
   * Counts the request as arriving until its body is complete.
   *
   * @param onGiveUp Called if another request gets the place, so the body is no longer needed
   *
   * @throws RateLimited, Overloaded
   */
  awaitBody(onGiveUp: () => void) {
    this.#move(this.#shares.working, this.#shares.arriving)
    if (this.#share === null) return
    this.#onGiveUp = onGiveUp
    this.#shares.incomplete.add(this)
  }

  giveUp() {
    const onGiveUp = this.#onGiveUp
    this.leave()
    onGiveUp?.()
  }

  /** @throws RateLimited, Overloaded if incomplete bodies take too much memory */
  receive(bytes: number) {
    if (this.#onGiveUp === null) return
    const { bytes: all, incomplete } = this.#shares
    while (!all.hasRoom(bytes) && incomplete.dropHeaviest((body) => body.bytes)) continue
    // This body may have been the largest.
    if (this.#onGiveUp === null) return
    all.take(this.caller, bytes)
    this.bytes += bytes
  }

  /** The body is complete. @throws RateLimited, Overloaded */
  begin() {
    this.#move(this.#shares.arriving, this.#shares.working)
  }

  /** The work is done, or the client has disconnected. */
  leave() {
    if (this.#share === null) return
    this.#share.release(this.caller)
    this.#share = null
    this.#forgetBody()
    this.caller.release()
  }

  #move(from: Share, to: Share) {
    if (this.#share !== from) return
    this.caller.retain()
    this.leave()
    this.#enter(to)
  }

  #forgetBody() {
    if (this.#onGiveUp === null) return
    this.#onGiveUp = null
    this.#shares.incomplete.delete(this)
    if (this.bytes > 0) this.#shares.bytes.release(this.caller, this.bytes)
    this.bytes = 0
  }

  #enter(share: Share) {
    const { arriving, incomplete } = this.#shares
    if (share === arriving && !arriving.hasRoom()) incomplete.dropHeaviest(() => 1)
    try {
      share.take(this.caller)
      this.#share = share
    } catch (error) {
      this.caller.release()
      throw error
    }
  }
}
