import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { emailParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { findApplicationsWithVisibleLogins } from '#app/profiles/actions/find_applications_with_visible_logins'
import User from '#app/profiles/models/user'
import { type LoginRecordFilter, listLoginRecords } from '#app/profiles/queries/list_login_records'
import { loginRecordResource } from '#app/profiles/transformers/login_record_resource'
import { pageValidator } from '#app/profiles/validators/user_validator'

/** See profiles.md#login-record-fields. */
export default class LoginRecordsController {
  /**
   * List a user's login records. The newest comes first. Only applications that the caller sees
   * in the panel are included.
   */
  async ofUser(ctx: HttpContext) {
    const { email } = await User.withEmail(emailParam(ctx))
    return this.#list(ctx, {
      email,
      applicationIds: await findApplicationsWithVisibleLogins(ctx.panelAccess),
    })
  }

  /**
   * List an application's login records. The newest comes first. Those of an earlier application
   * with the same code are left out.
   */
  async ofApplication(ctx: HttpContext) {
    const { id, code: appCode } = await Application.withCode(textParam(ctx, 'appCode'))
    return this.#list(ctx, { appCode, applicationIds: [id] })
  }

  async #list(ctx: HttpContext, filter: LoginRecordFilter) {
    const page = pageOf(await pageValidator.validate(ctx.request.qs()))
    const records = await readFresh(ctx, (client) => listLoginRecords(filter, page, client))
    await countIfRequested(ctx, page, (whole, client) => listLoginRecords(filter, whole, client))
    return successEnvelope(paged(ctx, records, page).map(loginRecordResource))
  }
}
