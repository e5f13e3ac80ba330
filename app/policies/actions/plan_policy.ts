import Application from '#app/applications/models/application'
import { type FlipPage, previewFlips } from '#app/checks/actions/preview_flips'
import { applyChanges } from '#app/policies/actions/apply_changes'
import { type PolicyRequest, compareWith, readRequest } from '#app/policies/actions/policy_request'
import { readPolicy } from '#app/policies/queries/read_policy'
import type { PolicyChange } from '#app/policies/values/policy_changes'
import { concernedAddresses } from '#app/policies/values/concerned_addresses'
import { policyRevision } from '#app/policies/values/policy_revision'

export interface PolicyPlan {
  /** The revision of what is stored, for `applyPolicy`. */
  revision: string
  changes: PolicyChange[]
  flips: FlipPage
}

/**
 * Finds what a document would change, by trying it out. Nothing is stored.
 *
 * @param page of the flips
 * @throws what `applyPolicy` would throw except Stale; PreviewTooLarge, Overloaded, ValidationError
 *   for a cursor of another plan
 */
export async function planPolicy(
  request: PolicyRequest,
  page: { limit?: number; cursor?: string }
): Promise<PolicyPlan> {
  const { valid, prune, assignments, changer } = request
  const { wanted, places, prepared } = await readRequest(request)
  let found: Omit<PolicyPlan, 'flips'> | undefined
  const flips = await previewFlips(
    valid.application,
    async (trx) => {
      const application = await Application.withCode(valid.application, trx)
      const stored = await readPolicy(application, { assignments }, trx)
      const changes = await compareWith(stored, { ...request, wanted })
      found = { revision: policyRevision(stored), changes }
      await applyChanges({ application, stored, wanted, changes, prepared, trx }, places)
      return concernedAddresses(changes)
    },
    { page, changer, asked: { policy: policyRevision(wanted), prune, assignments } }
  )
  return { ...found!, flips }
}
