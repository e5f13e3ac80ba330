import { Caller } from '#core/http/callers'
import { type IncompleteBody, IncompleteBodies } from '#core/http/incomplete_bodies'
import type { RequestClass, RequestKind } from '#core/http/request_kinds'
import { Share } from '#core/http/share'
import limits from '#config/limits'

/** The resources that the requests of one class may use in a process. */
class ClassShares {
  /** Requests the service works on. */
  readonly working: Share
  /** Requests that are being authenticated or whose body is incomplete. */
  readonly arriving: Share
  /** Bytes of bodies that are not complete. */
  readonly bytes = new Share(limits.arriving.bytes)
  readonly incomplete = new IncompleteBodies()

  constructor(
    readonly name: string,
    capacity: number
  ) {
    this.working = new Share(capacity)
    this.arriving = new Share(capacity * limits.arriving.perPlace)
  }
}

const classes = Object.fromEntries(
  Object.entries(limits.inFlight).map(([name, capacity]) => [name, new ClassShares(name, capacity)])
) as Record<RequestClass, ClassShares>

/**
 * By class: how many requests are worked on and arriving, and how many were refused so far, by
 * reason.
 */
export function usageOfPlaces() {
  return Object.values(classes).map(({ name, working, arriving, bytes }) => {
    const all = [working, arriving, bytes]
    return {
      name,
      inFlight: working.taken,
      arriving: arriving.taken,
      refused: {
        caller: all.reduce((sum, { refused }) => sum + refused.caller, 0),
        full: all.reduce((sum, { refused }) => sum + refused.full, 0),
      },
    }
  })
}

/**
 * The place of one request in its class. The request counts as arriving while it is authenticated
 * and its body is received, and as worked on from then until its answer is complete, read or
 * unread.
 */
export class Place {
  readonly #shares: ClassShares
  /** The share it currently counts in; null once it has left. */
  #share: Share | null = null
  #body: IncompleteBody | null = null
  #caller: Caller

  /**
   * @param client The network of the client's address
   * @param awaitsBody Whether the request's headers announce a body
   *
   * @throws RateLimited, Overloaded when there is no place
   */
  constructor(
    kind: RequestKind,
    client: string,
    private readonly awaitsBody: boolean
  ) {
    this.#shares = classes[kind.class]
    const { arriving, working } = this.#shares
    const isArriving = awaitsBody || kind.identifies
    if (isArriving) working.requireRoom()
    this.#caller = Caller.named(client)
    this.#enter(isArriving ? arriving : working)
  }

  /**
   * Moves the request to the caller's share, once a guard has identified the caller.
   *
   * @throws RateLimited, Overloaded when they have no place
   */
  identify(key: string) {
    if (this.#share === null) return
    this.leave()
    this.#caller = Caller.named(key)
    this.#enter(this.awaitsBody ? this.#shares.arriving : this.#shares.working)
  }

  /**
   * The request counts as arriving until its body is complete.
   *
   * @param giveUp Called if the place is given to another request; the body is not wanted any more
   *
   * @throws RateLimited, Overloaded when too many are arriving
   */
  awaitBody(giveUp: () => void) {
    this.#move(this.#shares.working, this.#shares.arriving)
    if (this.#share === null) return
    this.#body = {
      ...{ caller: this.#caller, bytes: 0 },
      giveUp: () => {
        this.leave()
        giveUp()
      },
    }
    this.#shares.incomplete.add(this.#body)
  }

  /**
   * Counts a chunk of the body.
   *
   * @throws RateLimited, Overloaded when incomplete bodies take too much memory already
   */
  receive(bytes: number) {
    if (this.#body === null) return
    const { bytes: all, incomplete } = this.#shares
    while (!all.hasRoom(bytes) && incomplete.dropHeaviest((body) => body.bytes)) continue
    // It may have been the heaviest itself.
    if (this.#body === null) return
    all.take(this.#caller, bytes)
    this.#body.bytes += bytes
  }

  /**
   * The body is complete, so the work begins.
   *
   * @throws RateLimited, Overloaded when there is no place
   */
  begin() {
    this.#move(this.#shares.arriving, this.#shares.working)
  }

  /** The work is done, or nobody waits for it any more. */
  leave() {
    if (this.#share === null) return
    this.#share.giveBack(this.#caller)
    this.#share = null
    this.#forgetBody()
    this.#caller.letGo()
  }

  #move(from: Share, to: Share) {
    if (this.#share !== from) return
    this.#caller.keep()
    this.leave()
    this.#enter(to)
  }

  #forgetBody() {
    const body = this.#body
    if (body === null) return
    this.#body = null
    this.#shares.incomplete.delete(body)
    if (body.bytes > 0) this.#shares.bytes.giveBack(this.#caller, body.bytes)
  }

  #enter(share: Share) {
    const { arriving, incomplete } = this.#shares
    if (share === arriving && !arriving.hasRoom()) incomplete.dropHeaviest(() => 1)
    try {
      share.take(this.#caller)
      this.#share = share
    } catch (error) {
      this.#caller.letGo()
      throw error
    }
  }
}
