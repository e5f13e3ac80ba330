import { inSearchBudget } from '#core/database/work_budgets'
import { readAtOneMoment } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { readPolicy } from '#app/policies/queries/read_policy'
import type { PolicyDocument } from '#app/policies/values/policy_document'

interface ExportOptions {
  /** For limits; see `callerKey`. */
  caller: string
  assignments?: boolean
}

/**
 * Reads the policy of an application as it was at one moment.
 * @throws ApplicationNotFound, PolicyTooLarge, Overloaded
 */
export function exportPolicy(
  appCode: string,
  { caller, assignments = false }: ExportOptions
): Promise<PolicyDocument> {
  const read = () =>
    readAtOneMoment(async (trx) => {
      const application = await Application.withCode(appCode, trx)
      return readPolicy(application, { assignments }, trx)
    })
  return inSearchBudget(caller, read)
}
