import type { PolicyChange } from '#app/policies/values/policy_changes'
import type { PolicyKind } from '#app/policies/values/policy_entries'

const OF_USERS: PolicyKind[] = ['roleAssignment', 'override', 'administrator']

/** The users whose own assignments change. */
export const concernedAddresses = (changes: PolicyChange[]): string[] => [
  ...new Set(changes.filter(({ kind }) => OF_USERS.includes(kind)).map(({ key }) => key[0])),
]
