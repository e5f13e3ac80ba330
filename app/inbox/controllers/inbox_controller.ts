import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { linkNext } from '#core/http/paging'
import { idParam } from '#core/http/path_params'
import { responseEnvelope } from '#core/values/envelopes'
import {
  ARCHIVE,
  type ItemChange,
  READ,
  UNARCHIVE,
  UNREAD,
  changeItem,
} from '#app/inbox/actions/change_item'
import { markAllRead } from '#app/inbox/actions/mark_all_read'
import { readBaseUrls } from '#app/inbox/actions/read_base_urls'
import { snoozeItem } from '#app/inbox/actions/snooze_item'
import { countUnread, inboxOf, readInbox } from '#app/inbox/queries/inbox'
import { inboxItemResource } from '#app/inbox/transformers/inbox_item_resource'
import { inboxPageOf } from '#app/inbox/values/inbox_page'
import {
  listInboxValidator,
  readAllValidator,
  snoozeValidator,
} from '#app/inbox/validators/inbox_validator'

/** See inbox.md#routes. */
export default class InboxController {
  /**
   * List the caller's inbox. The newest item comes first. Without `archived` or `snoozed`, it has
   * neither archived nor snoozed items.
   */
  async index(ctx: HttpContext) {
    const { limit, cursor, count, ...filter } = await listInboxValidator.validate(ctx.request.qs())
    const page = inboxPageOf({ limit, cursor, count })
    const { items, next } = await readInbox(ctx.caller.email, filter, page)
    await countIfRequested(ctx, page, () => inboxOf(ctx.caller.email, filter))
    if (next !== null) linkNext(ctx, next)
    const baseUrls = await readBaseUrls(items)
    return responseEnvelope(items.map((item) => inboxItemResource(item, baseUrls)))
  }

  /** Count the caller's unread inbox items. Archived and snoozed ones do not count. */
  async unreadCount({ caller }: HttpContext) {
    return responseEnvelope({ count: await countUnread(caller.email) })
  }

  /** Mark an inbox item as read. */
  read(ctx: HttpContext) {
    return this.#change(ctx, READ)
  }

  /** Mark an inbox item as unread. */
  unread(ctx: HttpContext) {
    return this.#change(ctx, UNREAD)
  }

  /** Archive an inbox item. This also ends its snooze. */
  archive(ctx: HttpContext) {
    return this.#change(ctx, ARCHIVE)
  }

  /** Move an inbox item back to the inbox. */
  unarchive(ctx: HttpContext) {
    return this.#change(ctx, UNARCHIVE)
  }

  /**
   * Snooze an inbox item. It is hidden until `until`, and then returns as unread; with
   * `until: null` it returns immediately.
   */
  async snooze(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const { until } = await snoozeValidator.validate(ctx.request.body())
    await snoozeItem(ctx.caller.email, id, until)
    return ctx.response.noContent()
  }

  /**
   * Mark all inbox items as read, except archived and snoozed ones. The response has no envelope.
   */
  async readAll({ caller, request }: HttpContext) {
    const { appCode } = await readAllValidator.validate(request.body())
    return { updated: await markAllRead(caller.email, appCode) }
  }

  async #change(ctx: HttpContext, change: ItemChange) {
    await changeItem(ctx.caller.email, idParam(ctx, 'id'), change)
    return ctx.response.noContent()
  }
}
