import { readAtOneMoment } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { readPolicy } from '#app/policies/queries/read_policy'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/**
 * Reads the policy of an application as it was at one moment. Call it in a turn for searches.
 * @throws ApplicationNotFound, PolicyTooLarge
 */
export function exportPolicy(
  appCode: string,
  { assignments = false }: { assignments?: boolean }
): Promise<PolicyDocument> {
  return readAtOneMoment(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    return readPolicy(application, { assignments }, trx)
  })
}
