import type { Applying } from '#app/policies/actions/applying'
import { atPlace } from '#app/policies/values/at_place'
import type { PolicyChange } from '#app/policies/values/policy_changes'
import type { PolicyKind } from '#app/policies/values/policy_entries'

type Action = PolicyChange['action']

/** Runs work for each change of a kind, one after another. Problems name the place. */
export async function eachChange(
  { changes, placeOf }: Applying,
  kind: PolicyKind,
  actions: Action[],
  work: (key: string[], change: PolicyChange) => Promise<unknown>
) {
  for (const change of changesOf(changes, kind, actions)) {
    await atPlace(placeOf(change), () => work(change.key, change))
  }
}

export const changesOf = (changes: PolicyChange[], kind: PolicyKind, actions: Action[]) =>
  changes.filter((change) => change.kind === kind && actions.includes(change.action))
