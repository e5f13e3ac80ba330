import { isoTimestamp } from '#core/values/iso_timestamp'
import type ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'

export function reconciliationResource(run: ReconciliationRecord) {
  const { changes } = run
  const count = (change: keyof typeof changes) => changes[change] ?? 0
  return {
    id: run.id,
    /** What started it: the schedule, the command, or an administrator */
    trigger: run.trigger,
    /** The only organisation whose users it read; null for all */
    orgId: run.orgId,
    /** Whether it only counted what it would change */
    dryRun: run.dryRun,
    /** `interrupted` if its process ended before the run */
    status: run.isLost ? ('interrupted' as const) : run.status,
    /** How many users of the identity provider it has read so far */
    read: run.read,
    /** How many records it has changed, by the kind of the change */
    changes: {
      recorded: count('recorded'),
      deactivated: count('deactivated'),
      reactivated: count('reactivated'),
      renamed: count('renamed'),
      identified: count('identified'),
      moved: count('moved'),
    },
    /** Users it left as they are, because their case is uncertain */
    skipped: {
      /** Their address is not verified, or several users have it */
      unclear: run.unclear,
      /** The service account cannot see them */
      unseen: run.unseen,
    },
    /** The code of the problem that ended it; null without one */
    error: run.error,
    createdAt: isoTimestamp(run.createdAt),
    /** Null while it waits for a background process */
    startedAt: isoTimestamp(run.startedAt),
    /** Null until it has ended */
    endedAt: isoTimestamp(run.endedAt),
  }
}
