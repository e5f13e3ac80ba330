import { DateTime } from 'luxon'
import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, pagedBySize } from '#core/http/paging'
import { emailParam, textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { deliveryStatistics } from '#app/notifications/queries/delivery_statistics'
import { type LogFilter, readLog } from '#app/notifications/queries/log'
import { logEntryResource } from '#app/notifications/transformers/log_entry'
import {
  logPageValidator,
  searchLogValidator,
  statisticsValidator,
} from '#app/notifications/validators/log_validator'

const DEFAULT_PERIOD = { days: 30 }

/** What was sent to whom, the latest first. Entries outlive the application that sent them. */
export default class LogController {
  /**
   * Lists the notifications sent to a person, the latest first. An application key sees only what
   * its application sent since it was created.
   */
  async ofRecipient(ctx: HttpContext) {
    const recipientEmail = emailParam(ctx)
    const page = await logPageValidator.validate(ctx.request.qs())
    const { internalCaller: caller } = ctx
    if (caller.kind === 'platform') return this.#list(ctx, { recipientEmail }, page)
    const { appCode, appCreatedAt: since } = caller
    return this.#list(ctx, { recipientEmail, appCode, since }, page)
  }

  /**
   * Lists what an application sent, the latest first. A key of an application sees nothing from
   * before it was created, when another one may have had its code.
   */
  async ofApplication(ctx: HttpContext) {
    const seesFormer = ctx.internalCaller.kind === 'platform'
    const own = logOf(await Application.withCode(textParam(ctx, 'appCode')), seesFormer)
    return this.#list(ctx, own, await logPageValidator.validate(ctx.request.qs()))
  }

  /**
   * Searches what an application sent, the latest first. Only global panel admins see what an
   * earlier application with the same code sent.
   */
  async search(ctx: HttpContext) {
    const { isGlobalAdmin } = ctx.standing
    const own = logOf(await Application.withCode(textParam(ctx, 'appCode')), isGlobalAdmin)
    const { limit, cursor, from, to, ...filter } = await searchLogValidator.validate(
      ctx.request.qs()
    )
    const period = { from: momentOf(from), to: momentOf(to) }
    return this.#list(ctx, { ...filter, ...period, ...own }, { limit, cursor })
  }

  /**
   * Counts what an application sent, per day, channel and status. Only global panel admins see what
   * an earlier application with the same code sent.
   */
  async statistics(ctx: HttpContext) {
    const { isGlobalAdmin } = ctx.standing
    const own = logOf(await Application.withCode(textParam(ctx, 'appCode')), isGlobalAdmin)
    const period = await statisticsValidator.validate(ctx.request.qs())
    const to = momentOf(period.to) ?? DateTime.utc().plus({ minutes: 1 })
    const from = momentOf(period.from) ?? to.minus(DEFAULT_PERIOD)
    const since = own.since ?? from
    return success(await deliveryStatistics(own.appCode, DateTime.max(from, since), to))
  }

  async #list(ctx: HttpContext, filter: LogFilter, paging: { limit?: number; cursor?: string }) {
    const entries = await readLog(filter, pageOf(paging))
    return success(pagedBySize(ctx, entries).map(logEntryResource))
  }
}

const logOf = ({ code: appCode, createdAt }: Application, seesFormer: boolean) => ({
  appCode,
  since: seesFormer ? undefined : createdAt,
})

const momentOf = (text: string | undefined) =>
  text === undefined ? undefined : DateTime.fromISO(text, { zone: 'utc' })
