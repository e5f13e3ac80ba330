import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { asOneChange } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { inChangeBudget } from '#core/database/large_changes'
import { tagOf } from '#core/http/etag'
import { Stale } from '#core/exceptions/problems'
import Application from '#app/applications/models/application'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { lockUserRoles } from '#app/permissions/actions/lock_user_roles'
import { applyChanges } from '#app/policies/actions/apply_changes'
import { type PolicyRequest, compareWith, readRequest } from '#app/policies/actions/policy_request'
import { readPolicy } from '#app/policies/queries/read_policy'
import type { PolicyChange } from '#app/policies/values/policy_changes'
import { policyRevision } from '#app/policies/values/policy_revision'

export interface AppliedPolicy {
  /** The revision of what is stored now. */
  revision: string
  changes: PolicyChange[]
}

/**
 * Applies a document: everything or nothing.
 *
 * @param isBasedOn whether the request is based on a stored policy with this revision
 * @throws Stale, Overloaded, ChangesTakeTooLong, the problems of the document, and what the actions
 *   of the endpoints throw, with the place in the document
 */
export function applyPolicy(
  request: PolicyRequest,
  isBasedOn: (revision: string) => boolean
): Promise<AppliedPolicy> {
  const { valid, assignments, changer } = request
  return inChangeBudget(changer, async () => {
    const { wanted, places, prepared } = await readRequest(request)
    return asOneChange(async (trx) => {
      const application = await lockPolicy(valid.application, trx)
      const stored = await readPolicy(application, { assignments, lock: true }, trx)
      const revision = policyRevision(stored)
      if (!isBasedOn(revision)) {
        const headers = { etag: tagOf(revision) }
        throw new Stale({ details: { current: { revision } }, headers })
      }
      const changes = await compareWith(stored, { ...request, wanted })
      if (changes.length === 0) return { revision, changes }
      await applyChanges({ application, stored, wanted, changes, prepared, trx }, places)
      const current = await readPolicy(application, { assignments }, trx)
      return { revision: policyRevision(current), changes }
    })
  })
}

/** Keeps other requests from changing what is compared until the commit. */
async function lockPolicy(appCode: string, trx: TransactionClientContract): Promise<Application> {
  const application = await Application.lockWithCode(appCode, trx)
  await lockPermissions(application, trx)
  await lockUserRoles(application, trx)
  await lockUntilCommit(trx, `application_admins:${application.id}`)
  return application
}
