import { DateTime } from 'luxon'
import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { type PageRequest, pageOf, pagedBySize } from '#core/http/paging'
import { emailParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { deliveryStatistics } from '#app/notifications/queries/delivery_statistics'
import { type LogFilter, logPage, readLog } from '#app/notifications/queries/log_page'
import { logEntryResource } from '#app/notifications/transformers/log_entry_resource'
import {
  logPageValidator,
  searchLogValidator,
  searchWholeLogValidator,
  statisticsValidator,
} from '#app/notifications/validators/log_validator'

const DEFAULT_PERIOD = { days: 30 }

/** Entries outlive the application that sent them. */
export default class LogController {
  /**
   * List the notifications sent to a recipient. The newest comes first. An application key sees
   * only what its application has sent since the application was created.
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
   * List the notifications of an application. The newest comes first. What an earlier application
   * with the same code sent is left out.
   */
  async ofApplication(ctx: HttpContext) {
    const scope = scopeTo(await Application.withCode(textParam(ctx, 'appCode')))
    return this.#list(ctx, scope, await logPageValidator.validate(ctx.request.qs()))
  }

  /**
   * Search the notifications of an application. The newest comes first. What an earlier application
   * with the same code sent is left out.
   */
  async search(ctx: HttpContext) {
    const scope = scopeTo(await Application.withCode(textParam(ctx, 'appCode')))
    const { limit, cursor, count, from, to, ...filter } = await searchLogValidator.validate(
      ctx.request.qs()
    )
    const period = { from: parseMoment(from), to: parseMoment(to) }
    return this.#list(ctx, { ...filter, ...period, ...scope }, { limit, cursor, count })
  }

  /**
   * Search the notifications of all applications, deleted ones included. The newest comes first.
   */
  async searchAll(ctx: HttpContext) {
    const { limit, cursor, count, from, to, ...filter } = await searchWholeLogValidator.validate(
      ctx.request.qs()
    )
    const period = { from: parseMoment(from), to: parseMoment(to) }
    return this.#list(ctx, { ...filter, ...period }, { limit, cursor, count }, (read) =>
      inSearchTurn(ctx, read)
    )
  }

  /**
   * Get delivery statistics. Counts what an application sent, per day or hour, channel and status.
   * What an earlier application with the same code sent is left out.
   */
  async statistics(ctx: HttpContext) {
    const scope = scopeTo(await Application.withCode(textParam(ctx, 'appCode')))
    const filter = await statisticsValidator.validate(ctx.request.qs())
    const to = parseMoment(filter.to) ?? DateTime.utc().plus({ minutes: 1 })
    const from = parseMoment(filter.from) ?? to.minus(DEFAULT_PERIOD)
    const { appCode, since } = scope
    const { type, per } = filter
    const period = { from: DateTime.max(from, since), to }
    const statistics = await inSearchTurn(ctx, () =>
      readFresh(ctx, (client) => deliveryStatistics({ appCode, ...period, type, per }, client))
    )
    return successEnvelope(statistics)
  }

  async #list(
    ctx: HttpContext,
    filter: LogFilter,
    paging: PageRequest,
    inBudget: <T>(read: () => Promise<T>) => Promise<T> = (read) => read()
  ) {
    const page = pageOf(paging)
    const entries = await inBudget(() => readFresh(ctx, (client) => readLog(filter, page, client)))
    await countIfRequested(ctx, page, (whole, client) => logPage(filter, whole, client))
    return successEnvelope(pagedBySize(ctx, entries).map(logEntryResource))
  }
}

const scopeTo = ({ code: appCode, createdAt: since }: Application) => ({ appCode, since })

const parseMoment = (text: string | undefined) =>
  text === undefined ? undefined : DateTime.fromISO(text, { zone: 'utc' })
