import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { emailParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import { addSuppression } from '#app/suppressions/actions/add_suppression'
import { removeSuppression } from '#app/suppressions/actions/remove_suppression'
import { suppressionPage } from '#app/suppressions/queries/suppression_page'
import { suppressionResource } from '#app/suppressions/transformers/suppression_resource'
import {
  suppressionListValidator,
  suppressionValidator,
} from '#app/suppressions/validators/suppression_validator'

/** See suppressions.md#suppression-list. */
export default class SuppressionsController {
  /** List the addresses that get no mail. The newest suppression comes first. */
  async index(ctx: HttpContext) {
    const { limit, cursor, count, ...filter } = await suppressionListValidator.validate(
      ctx.request.qs()
    )
    const page = pageOf({ limit, cursor, count })
    const rows = await readFresh(ctx, (client) => suppressionPage(filter, page, client))
    await countIfRequested(ctx, page, (whole, client) => suppressionPage(filter, whole, client))
    return successEnvelope(paged(ctx, rows, page).map(suppressionResource))
  }

  /** Suppress an address. Sends to it are skipped, except mails of system types. */
  async store(ctx: HttpContext) {
    const fields = await suppressionValidator.validate(ctx.request.body())
    const suppression = await addSuppression(fields)
    return ctx.response.created(successEnvelope(suppressionResource(suppression)))
  }

  /** Remove the suppression of an address. Its earlier bounces no longer count. */
  async destroy(ctx: HttpContext) {
    await removeSuppression(emailParam(ctx))
    return ctx.response.noContent()
  }
}
