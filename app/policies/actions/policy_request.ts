import { inSearchBudget } from '#core/database/work_budgets'
import type { Changer } from '#core/http/caller_name'
import { exportPolicy } from '#app/policies/actions/export_policy'
import { type PreparedVersions, prepareVersions } from '#app/policies/actions/prepare_versions'
import { type ValidPolicy } from '#app/policies/validators/policy_validator'
import { type PolicyChange, comparePolicies } from '#app/policies/values/policy_changes'
import { completePolicy } from '#app/policies/values/complete_policy'
import type { PolicyDocument } from '#app/policies/values/policy_document'
import { storedTargets, targetOfChange } from '#app/policies/values/override_targets'
import { PolicyTooLarge } from '#app/policies/exceptions'
import { placesOf } from '#app/policies/values/policy_entries'
import type { Definitions } from '#app/policies/values/require_consistent'
import { requireConsistent } from '#app/policies/values/require_consistent'

/**
 * Lists of assignments that one transaction replaces, each with queries of its own. On SQLite,
 * everything else waits for it, and on PostgreSQL, each user takes a place in the table of locks
 * that all transactions share.
 */
const MAX_REPLACEMENTS = 1_000

export interface PolicyOptions {
  /** Whether to remove what is not in the document. */
  prune?: boolean
  /** Whether to include assignments. */
  assignments?: boolean
}

/** A document to plan or to apply. */
export interface PolicyRequest extends PolicyOptions {
  valid: ValidPolicy
  /** For limits; see `callerKey`. */
  caller: string
  changer: Changer
}

/** What is known about a request before its transaction. */
export interface ReadRequest {
  wanted: PolicyDocument
  /** The places of the entries in the document, by `entryId`. */
  places: ReadonlyMap<string, string>
  prepared: PreparedVersions
}

/**
 * Compiles the texts that a request changes, by what is stored now.
 * @throws ApplicationNotFound, Overloaded, and what `requireConsistent` and `prepareVersions` throw
 */
export async function readRequest(request: PolicyRequest): Promise<ReadRequest> {
  const { valid, caller, assignments } = request
  const wanted = wantedOf(request)
  const places = placesOf(valid)
  const stored = await inSearchBudget(caller, () =>
    exportPolicy(valid.application, { assignments })
  )
  const changes = await compareWith(stored, { ...request, wanted })
  const prepared = await prepareVersions({ wanted, changes, places, author: caller })
  return { wanted, places, prepared }
}

function wantedOf({ valid, assignments }: PolicyRequest): PolicyDocument {
  const wanted = completePolicy(valid)
  return assignments ? wanted : { ...wanted, assignments: undefined }
}

interface Comparison extends PolicyRequest {
  wanted: PolicyDocument
}

/** @throws PolicyTooLarge, and what `requireConsistent` throws */
export async function compareWith(
  stored: PolicyDocument,
  { valid, wanted, prune = false, assignments }: Comparison
): Promise<PolicyChange[]> {
  const considered = assignments ? valid : { ...valid, assignments: undefined }
  await requireConsistent(considered, remainingDefinitions(stored, wanted, prune))
  const changes = await comparePolicies(stored, wanted, { prune })
  requireFewReplacements(changes, storedTargets(stored))
  return changes
}

/** @throws PolicyTooLarge */
function requireFewReplacements(changes: PolicyChange[], known: ReadonlySet<string>) {
  // Lists of overrides that are new, and users who only gain roles, are stored many at a time.
  const targets = changes
    .filter(({ kind }) => kind === 'override')
    .map(targetOfChange)
    .filter((target) => known.has(target))
  const users = changes.flatMap(({ kind, action, key: [email] }) =>
    kind === 'roleAssignment' && action !== 'add' ? email : []
  )
  const replaced = {
    'users and resources with changed overrides': targets,
    'users with changed or removed roles': users,
  }
  for (const [of, names] of Object.entries(replaced)) {
    if (new Set(names).size <= MAX_REPLACEMENTS) continue
    throw new PolicyTooLarge({ details: { limit: MAX_REPLACEMENTS, of } })
  }
}

/** What is still stored, besides the document, once it is applied. */
function remainingDefinitions(
  stored: PolicyDocument,
  wanted: PolicyDocument,
  prune: boolean
): Definitions {
  const keeps = (section: unknown) => !prune || section === undefined
  const permissions = keeps(wanted.permissions) ? stored.permissions! : []
  const roles = keeps(wanted.roles) ? stored.roles! : []
  return {
    permissions: new Map(permissions.map(({ code, type }) => [code, { type }])),
    roles: new Set(roles.map(({ code }) => code)),
  }
}
