import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget, inChangeBudgetIfLarge } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { idParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { isStillAuthorized } from '#app/auth/panel/is_still_authorized'
import { changeBroadcast } from '#app/broadcasts/actions/change_broadcast'
import { createBroadcast } from '#app/broadcasts/actions/create_broadcast'
import { createOncePerKey, scopeOfBroadcast } from '#app/broadcasts/actions/create_once_per_key'
import { requireTotal } from '#app/broadcasts/actions/require_total'
import Broadcast from '#app/broadcasts/models/broadcast'
import { listBroadcasts } from '#app/broadcasts/queries/list_broadcasts'
import { progressStream } from '#app/broadcasts/stream/progress_stream'
import { broadcastResource } from '#app/broadcasts/transformers/broadcast_resource'
import { authorOf } from '#app/broadcasts/values/author_of'
import { readKeyedRequest } from '#app/delivery/actions/read_keyed_request'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import {
  broadcastPageValidator,
  changeBroadcastValidator,
  createBroadcastValidator,
} from '#app/broadcasts/validators/broadcast_validator'

/** See broadcasts.md#routes. */
export default class BroadcastsController {
  /** List broadcasts. The newest comes first. */
  async index(ctx: HttpContext) {
    const { id } = await Application.withCode(textParam(ctx, 'appCode'))
    const request = await broadcastPageValidator.validate(ctx.request.qs())
    const page = pageOf(request)
    const filter = { applicationId: id, status: request.status, type: request.type }
    const broadcasts = await readFresh(ctx, (client) => listBroadcasts(filter, page, client))
    await countIfRequested(ctx, page, (whole, client) => listBroadcasts(filter, whole, client))
    return successEnvelope(paged(ctx, broadcasts, page).map(broadcastResource))
  }

  /**
   * Create a broadcast. It sends one message to many recipients, in the background. The audience
   * `all` requires a global panel admin. System types are refused. Addresses without a user record
   * are skipped, unless a super admin sends the broadcast or the application's `outsideRecipients`
   * is true. With `expectedTotal`, nothing is created if the audience has another size. With an
   * `Idempotency-Key`, a repetition of the request creates no second one, and gets the first as it
   * is now.
   */
  async store(ctx: HttpContext) {
    const request = await createBroadcastValidator.validate(ctx.request.body())
    const [appCode, author] = [textParam(ctx, 'appCode'), authorOf(ctx)]
    const checkAndCreate = async (key?: KeyClaim) => {
      await requireTotal(appCode, request, author)
      return createBroadcast(appCode, request, author, key)
    }
    const { audience } = request
    const create = (key?: KeyClaim) =>
      audience.kind === 'emails'
        ? inChangeBudgetIfLarge(changerOf(ctx), audience.emails.length, () => checkAndCreate(key))
        : inSearchTurn(ctx, () => checkAndCreate(key))
    const keyed = await readKeyedRequest(ctx, () => scopeOfBroadcast(appCode, author))
    const broadcast = keyed ? await createOncePerKey(keyed, appCode, create) : await create()
    return ctx.response.accepted(successEnvelope(broadcastResource(broadcast)))
  }

  /** Get a broadcast. The response includes its progress. */
  async show(ctx: HttpContext) {
    const broadcast = await Broadcast.of(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return successEnvelope(tagged(ctx, broadcastResource(broadcast)))
  }

  /**
   * Change a scheduled broadcast. Only the fields that are sent change. The whole broadcast is
   * checked again, as if the caller created it.
   */
  async update(ctx: HttpContext) {
    const [appCode, id] = [textParam(ctx, 'appCode'), idParam(ctx, 'id')]
    const changes = await changeBroadcastValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, broadcastResource)
    const change = () => changeBroadcast(appCode, id, changes, authorOf(ctx), fresh)
    // The former recipients may be a long list, too.
    const isLarge = changes.audience !== undefined
    const broadcast = await (isLarge ? inChangeBudget(changerOf(ctx), change) : change())
    return successEnvelope(tagged(ctx, broadcastResource(broadcast)))
  }

  /**
   * Follow a broadcast. Streams its progress as Server-Sent Events until it ends.
   *
   * @produces text/event-stream
   */
  async stream(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const broadcast = await Broadcast.of(appCode, idParam(ctx, 'id'))
    ctx.place.identify(`progress streams of ${appCode}`)
    const mayFollow = () => isStillAuthorized(ctx.caller, 'view', appCode)
    const stream = progressStream(broadcast.id, ctx.response.response, mayFollow)
    ctx.response
      .header('content-type', 'text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .stream(stream)
  }
}
