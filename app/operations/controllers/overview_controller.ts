import type { HttpContext } from '@adonisjs/core/http'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import { listAttention } from '#app/operations/actions/list_attention'
import { readActivity } from '#app/operations/actions/read_activity'
import {
  activityValidator,
  attentionValidator,
} from '#app/operations/validators/overview_validator'

export default class OverviewController {
  /**
   * Get the activity per day. Counts checks, deliveries and logins of the application in `appCode`,
   * or of all that the caller can see, on each of the last `days` days in UTC (30 by default),
   * today included.
   */
  async activity(ctx: HttpContext) {
    const request = await activityValidator.validate(ctx.request.qs())
    return successEnvelope(await inSearchTurn(ctx, () => readActivity(ctx.panelAccess, request)))
  }

  /**
   * List what needs attention. Covers the application in `appCode`, or all that the caller can see.
   * Without `appCode`, global panel admins also see what belongs to the platform. The list has up
   * to 100 entries, the most urgent first.
   */
  async attention(ctx: HttpContext) {
    const { appCode } = await attentionValidator.validate(ctx.request.qs())
    return successEnvelope(await inSearchTurn(ctx, () => listAttention(ctx.panelAccess, appCode)))
  }
}
