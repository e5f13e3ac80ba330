import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'

export interface ReconciliationOptions {
  dryRun?: boolean
  orgId?: string
  /** Aborted when the process shuts down. Everything done before is complete. */
  stopping?: AbortSignal
}

export interface RunSummary {
  read: number
  changes: Map<string, RecordChange>
  skipped: {
    /** Users whose address is unverified, or used by several users of the provider. */
    unclear: number
    /** Active records whose user is not visible, which does not mean that they are gone. */
    unseen: number
  }
}

export const newRunSummary = (): RunSummary => ({
  read: 0,
  changes: new Map(),
  skipped: { unclear: 0, unseen: 0 },
})

/** A run may meet a user twice. */
export function addChanges({ changes }: RunSummary, made: RecordChange[]) {
  for (const change of made) changes.set(`${change.change} ${change.email}`, change)
}

export interface ReconciliationRun extends ReconciliationOptions {
  summary: RunSummary
  /** @throws AlreadyAtWork if another process has taken over, AbortError on shutdown */
  renewLease: () => Promise<void>
}
