import type { PolicyChange } from '#app/policies/values/policy_changes'

/** The `id` consists of codes and addresses, because a policy has no ids of rows. */
export function policyChangeResource({ kind, key, action, before, after }: PolicyChange) {
  return { kind, id: key.join(' '), action, before, after }
}
