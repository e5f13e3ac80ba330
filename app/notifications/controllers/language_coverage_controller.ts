import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { coveredTypes, readLanguageCoverage } from '#app/notifications/queries/language_coverage'
import { typeCoverageResource } from '#app/notifications/transformers/type_coverage_resource'
import { coverageValidator } from '#app/notifications/validators/notification_type_validator'

/** See notifications.md#language-coverage. */
export default class LanguageCoverageController {
  /**
   * Count language versions per notification type. Types without templates are left out, and so are
   * applications that the caller does not see in the panel.
   */
  async index(ctx: HttpContext) {
    const { appCode, ...paging } = await coverageValidator.validate(ctx.request.qs())
    if (appCode !== undefined) ctx.panelAccess.require('view', appCode)
    const page = pageOf(paging)
    const applications = await Application.query()
      .select('id', 'code')
      .if(appCode !== undefined, (query) => query.where('code', appCode!))
    const visible = applications.filter(({ code }) => ctx.panelAccess.holds('view', code))
    const ids = visible.map(({ id }) => id)
    const types = await readFresh(ctx, (client) => readLanguageCoverage(ids, page, client))
    await countIfRequested(ctx, page, (whole, client) => coveredTypes(ids, whole, client))
    return successEnvelope(paged(ctx, types, page).map(typeCoverageResource))
  }
}
