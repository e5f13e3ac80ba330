import type { HttpContext } from '@adonisjs/core/http'
import { openExport } from '#core/http/open_export'
import { emailParam } from '#core/http/path_params'
import { exportUser } from '#app/identity_provider/user_lifecycle/export_user'

/** See profiles.md#exporting-a-user. */
export default class ExportsController {
  /**
   * Export a user. Streams everything that is stored about the user, as a list of rows for each
   * kind of data.
   *
   * @produces application/json
   */
  async show(ctx: HttpContext) {
    const document = await exportUser(emailParam(ctx))
    ctx.response
      .header('content-type', 'application/json; charset=utf-8')
      .stream(await openExport(ctx, document))
  }
}
