import type AccessChanged from '#core/events/access_changed'
import { decisions } from '#app/checks/decisions'
import { admissions } from '#app/profiles/actions/admit_account'
import { workerProcesses } from '#app/checks/coherence/worker_processes'

/** Invalidates the caches of this process and of the other workers. */
export default class InvalidateDecisions {
  handle({ scopes }: AccessChanged) {
    decisions.invalidate(scopes)
    admissions.invalidate(scopes)
    workerProcesses.tell(scopes)
  }
}
