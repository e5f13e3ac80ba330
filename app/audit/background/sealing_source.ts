import type { WorkSource } from '#core/background/work_source'
import { withBriefLockWait } from '#core/database/lock_wait'
import { sealEntries } from '#app/audit/actions/seal_entries'

/** Gives audit entries their places in the chain, a moment after their commit. */
export class SealingSource implements WorkSource {
  readonly name = 'audit'

  work() {
    return withBriefLockWait(sealEntries)
  }
}
