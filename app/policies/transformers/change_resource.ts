import type { PolicyChange } from '#app/policies/values/policy_changes'

/** The `id` names a thing by its codes, since rows have no ids in a policy. */
export function policyChangeResource({ kind, key, action, before, after }: PolicyChange) {
  return { kind, id: key.join(' '), action, before, after }
}
