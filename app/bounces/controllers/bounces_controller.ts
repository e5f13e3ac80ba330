import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import { KeyNotForApplication } from '#app/auth/exceptions'
import { applyBounce } from '#app/bounces/actions/apply_bounce'
import { bouncePage } from '#app/bounces/queries/bounce_page'
import { mailBounceResource } from '#app/bounces/transformers/mail_bounce_resource'
import { bounceListValidator, bounceValidator } from '#app/bounces/validators/bounce_validator'

/** See suppressions.md#reporting-bounces. */
export default class BouncesController {
  /**
   * List the mails that came back or were reported as spam in the last 30 days. The newest comes
   * first.
   */
  async index(ctx: HttpContext) {
    const { limit, cursor, count, ...filter } = await bounceListValidator.validate(ctx.request.qs())
    const page = pageOf({ limit, cursor, count })
    const rows = await readFresh(ctx, (client) => bouncePage(filter, page, client))
    await countIfRequested(ctx, page, (whole, client) => bouncePage(filter, whole, client))
    return successEnvelope(paged(ctx, rows, page).map(mailBounceResource))
  }

  /**
   * Report that a mail came back or was reported as spam. A hard bounce or a complaint suppresses
   * the address immediately, as do five soft bounces in 30 days. An application key must name a
   * notification that its application sent to the address by mail.
   */
  async store(ctx: HttpContext) {
    const {
      notificationId = null,
      text = null,
      ...fields
    } = await bounceValidator.validate(ctx.request.body())
    const { internalCaller: caller } = ctx
    const isRestricted = caller.kind === 'application'
    if (isRestricted && notificationId === null) {
      throw new KeyNotForApplication({ detail: 'A key of an application must name a notification' })
    }
    const scope = isRestricted ? { appCode: caller.appCode, since: caller.appCreatedAt } : {}
    const report = { ...fields, notificationId, text }
    const { isNew, suppression } = await applyBounce(report, scope)
    return successEnvelope({
      /** False if the same report arrived earlier */
      recorded: isNew,
      /** Why the address gets no mail now; null if it does */
      suppression,
    })
  }
}
