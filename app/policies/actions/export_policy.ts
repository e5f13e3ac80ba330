import { rehearse } from '#core/database/rehearse'
import Application from '#app/applications/models/application'
import { readPolicy } from '#app/policies/queries/read_policy'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/**
 * Reads the policy of an application as it was at one moment.
 * @throws ApplicationNotFound, PolicyTooLarge
 */
export function exportPolicy(appCode: string, assignments = false): Promise<PolicyDocument> {
  return rehearse(async ({ trx }) => {
    const application = await Application.withCode(appCode, trx)
    return readPolicy(application, { assignments }, trx)
  })
}
