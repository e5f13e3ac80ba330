import type { HttpContext } from '@adonisjs/core/http'
import { lastReceivedRevision } from '#core/changes/revision_headers'
import { sendEvents } from '#core/http/event_stream'
import { Overloaded } from '#core/exceptions/problems'
import { DEFAULT_PAGE_SIZE } from '#core/http/paging'
import { successEnvelope } from '#core/values/envelopes'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { readEvents } from '#app/change_feed/queries/read_events'
import { changeFeed } from '#app/change_feed/stream/change_feed'
import { Follower } from '#app/change_feed/stream/follower'
import { changeFeedValidator } from '#app/change_feed/validators/change_feed_validator'

const RETRY_AFTER = { 'retry-after': '5' }

/** See changes.md#change-feed. */
export default class ChangeFeedController {
  /**
   * Follow or list changes. By default, the response is a stream of events, which `Last-Event-ID`
   * resumes. With `after`, `limit` or `Accept: application/json`, it is a page of events, oldest
   * first, whose `revision` is the `after` of the next page. Clients that accept
   * `text/event-stream` always get a stream.
   *
   * @produces text/event-stream
   */
  async index(ctx: HttpContext) {
    const {
      after,
      limit,
      domains = ['access'],
    } = await changeFeedValidator.validate(ctx.request.qs())
    const wanted = new Set(domains)
    const received = lastReceivedRevision(ctx) ?? after
    await followedChanges.catchUp()
    const start = received ?? followedChanges.revision
    if (wantsStream(ctx, after ?? limit)) {
      this.#stream(ctx, new Follower(wanted, start, ctx.response.response))
      return
    }
    const { events, revision } = await readEvents(start, wanted, limit ?? DEFAULT_PAGE_SIZE)
    return successEnvelope({ events, revision })
  }

  #stream(ctx: HttpContext, follower: Follower) {
    if (changeFeed.isFull) throw new Overloaded({ headers: RETRY_AFTER })
    sendEvents(ctx, () => {
      changeFeed.follow(follower)
      return follower
    })
  }
}

function wantsStream({ request }: HttpContext, paging: number | undefined): boolean {
  const types = request.header('accept') ?? ''
  if (types.includes('text/event-stream')) return true
  return paging === undefined && !types.includes('application/json')
}
