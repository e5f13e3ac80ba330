import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, pagedBySize } from '#core/http/paging'
import { idParam } from '#core/http/path_params'
import { ok } from '#core/values/envelopes'
import { markAllRead, markRead } from '#app/notifications/actions/mark_read'
import { countUnread, readInbox } from '#app/notifications/queries/inbox'
import { inboxItemResource } from '#app/notifications/transformers/inbox_item'
import { listInboxValidator, readAllValidator } from '#app/notifications/validators/inbox_validator'

/** What the caller was told, the latest first (specification 4.2, 3.3). */
export default class InboxController {
  /** Lists the caller's inbox, the latest first. */
  async index(ctx: HttpContext) {
    const { unreadOnly, appCode, ...query } = await listInboxValidator.validate(ctx.request.qs())
    const page = pageOf(query)
    const filter = { unreadOnly: unreadOnly === 'true' || unreadOnly === '1', appCode }
    const items = await readInbox(ctx.caller.email, filter, page)
    return ok(pagedBySize(ctx, items).map(inboxItemResource))
  }

  /** Counts what the caller has not read. */
  async unreadCount({ caller }: HttpContext) {
    return ok({ count: await countUnread(caller.email) })
  }

  /** Marks an inbox item as read. */
  async read(ctx: HttpContext) {
    await markRead(ctx.caller.email, idParam(ctx, 'id'))
    return ctx.response.noContent()
  }

  /** Marks everything in the caller's inbox as read. The answer is bare. */
  async readAll({ caller, request }: HttpContext) {
    const { appCode } = await readAllValidator.validate(request.body())
    return { updated: await markAllRead(caller.email, appCode) }
  }
}
