import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { pageOf, pagedBySize } from '#core/http/paging'
import { idParam } from '#core/http/path_params'
import { responseEnvelope } from '#core/values/envelopes'
import { markAllRead } from '#app/notifications/actions/mark_all_read'
import { markRead } from '#app/notifications/actions/mark_read'
import { countUnread, inboxPage, readInbox } from '#app/notifications/queries/inbox'
import { inboxItemResource } from '#app/notifications/transformers/inbox_item_resource'
import { listInboxValidator, readAllValidator } from '#app/notifications/validators/inbox_validator'

/** See delivery.md#inbox-routes. */
export default class InboxController {
  /** List the caller's inbox. The newest item comes first. */
  async index(ctx: HttpContext) {
    const { unreadOnly, appCode, ...query } = await listInboxValidator.validate(ctx.request.qs())
    const page = pageOf(query)
    const filter = { unreadOnly: unreadOnly === 'true' || unreadOnly === '1', appCode }
    const items = await readInbox(ctx.caller.email, filter, page)
    await countIfRequested(ctx, page, (whole) => inboxPage(ctx.caller.email, filter, whole))
    return responseEnvelope(pagedBySize(ctx, items).map(inboxItemResource))
  }

  /** Count the caller's unread inbox items. */
  async unreadCount({ caller }: HttpContext) {
    return responseEnvelope({ count: await countUnread(caller.email) })
  }

  /** Mark an inbox item as read. */
  async read(ctx: HttpContext) {
    await markRead(ctx.caller.email, idParam(ctx, 'id'))
    return ctx.response.noContent()
  }

  /** Mark all inbox items as read. The response has no envelope. */
  async readAll({ caller, request }: HttpContext) {
    const { appCode } = await readAllValidator.validate(request.body())
    return { updated: await markAllRead(caller.email, appCode) }
  }
}
