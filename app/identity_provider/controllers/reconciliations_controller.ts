import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, paged } from '#core/http/paging'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import { requestReconciliation } from '#app/identity_provider/reconciliation/request_reconciliation'
import { reconciliationPage } from '#app/identity_provider/queries/reconciliation_page'
import { reconciliationResource } from '#app/identity_provider/transformers/reconciliation_resource'
import {
  reconciliationListValidator,
  reconciliationValidator,
} from '#app/identity_provider/validators/reconciliation_validator'

/** See identity-provider.md#history-of-reconciliations. */
export default class ReconciliationsController {
  /** List the reconciliations of the last 90 days. The newest comes first. */
  async index(ctx: HttpContext) {
    const page = pageOf(await reconciliationListValidator.validate(ctx.request.qs()))
    const rows = await readFresh(ctx, (client) => reconciliationPage(page, client))
    return successEnvelope(paged(ctx, rows, page).map(reconciliationResource))
  }

  /**
   * Start a reconciliation. A background process starts it immediately; the list shows its
   * progress. With `dryRun`, it only counts what it would change.
   */
  async store({ request, response }: HttpContext) {
    const { dryRun = false, orgId = null } = await reconciliationValidator.validate(request.body())
    const run = await requestReconciliation({ dryRun, orgId })
    return response.status(202).send(successEnvelope(reconciliationResource(run)))
  }
}
