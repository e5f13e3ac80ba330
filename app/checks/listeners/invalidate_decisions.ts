import type AccessChanged from '#core/events/access_changed'
import { decisions } from '#app/checks/decisions'
import { admissions } from '#app/profiles/actions/admit_account'
import { workerProcesses } from '#app/checks/coherence/worker_processes'

/** Drops what a change of this process may have altered, here and in the other workers of this service. */
export default class ForgetDecisions {
  handle({ scopes }: AccessChanged) {
    decisions.invalidate(scopes)
    admissions.invalidate(scopes)
    workerProcesses.tell(scopes)
  }
}
