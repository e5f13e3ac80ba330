import { DateTime } from 'luxon'
import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, paged } from '#core/http/paging'
import { emailParam, textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import { confinedTo } from '#app/auth/values/internal_caller'
import Application from '#app/applications/models/application'
import { deliveryStatistics } from '#app/notifications/queries/delivery_statistics'
import { type LogFilter, logPage } from '#app/notifications/queries/log'
import { logEntryResource } from '#app/notifications/transformers/log_entry'
import {
  logPageValidator,
  searchLogValidator,
  statisticsValidator,
} from '#app/notifications/validators/log_validator'

const DEFAULT_PERIOD = { days: 30 }

/** What was sent to whom, the latest first (specification 4.6, decisions 4.1). */
export default class LogController {
  /**
   * Lists the notifications sent to a person, the latest first. An application key sees only those
   * of its application.
   */
  async ofRecipient(ctx: HttpContext) {
    const recipientEmail = emailParam(ctx)
    const appCode = confinedTo(ctx.internalCaller) ?? undefined
    return this.#list(
      ctx,
      { recipientEmail, appCode },
      await logPageValidator.validate(ctx.request.qs())
    )
  }

  /** Lists what an application sent, the latest first. */
  async ofApplication(ctx: HttpContext) {
    const { code: appCode } = await Application.withCode(textParam(ctx, 'appCode'))
    return this.#list(ctx, { appCode }, await logPageValidator.validate(ctx.request.qs()))
  }

  /** Searches what an application sent, the latest first. */
  async search(ctx: HttpContext) {
    const { code: appCode } = await Application.withCode(textParam(ctx, 'appCode'))
    const { limit, cursor, from, to, ...filter } = await searchLogValidator.validate(
      ctx.request.qs()
    )
    const period = { from: momentOf(from), to: momentOf(to) }
    return this.#list(ctx, { ...filter, ...period, appCode }, { limit, cursor })
  }

  /** Counts what an application sent, per day, channel and status. */
  async statistics(ctx: HttpContext) {
    const { code } = await Application.withCode(textParam(ctx, 'appCode'))
    const period = await statisticsValidator.validate(ctx.request.qs())
    const to = momentOf(period.to) ?? DateTime.utc().plus({ minutes: 1 })
    const from = momentOf(period.from) ?? to.minus(DEFAULT_PERIOD)
    return success(await deliveryStatistics(code, from, to))
  }

  async #list(ctx: HttpContext, filter: LogFilter, paging: { limit?: number; cursor?: string }) {
    const page = pageOf(paging)
    const entries = await logPage(filter, page)
    return success(paged(ctx, entries, page).map(logEntryResource))
  }
}

const momentOf = (text: string | undefined) =>
  text === undefined ? undefined : DateTime.fromISO(text, { zone: 'utc' })
