import type { RecordChange } from '#app/identity_provider/user_lifecycle/record_change'

export interface ReconciliationOptions {
  /** Find out what would change, and change nothing. */
  dryRun?: boolean
  /** Only people of this organisation of the provider. */
  orgId?: string
  /** Aborted when the process is to end; what was done until then is complete in itself. */
  stopping?: AbortSignal
}

/** What a run has done so far, for whoever asks after it ended or broke off. */
export interface RunSummary {
  /** Users the provider has listed. */
  read: number
  changes: Map<string, RecordChange>
  skipped: {
    /** Users left alone as several of the provider have their address, or it is not verified. */
    unclear: number
    /** Active records left alone whose user is not to be seen, as far as that does not mean that there is none. */
    unseen: number
  }
}

export const newRunSummary = (): RunSummary => ({
  read: 0,
  changes: new Map(),
  skipped: { unclear: 0, unseen: 0 },
})

/** Notes each change once: a user may be met twice, and of a dry run nothing remains between. */
export function noteChanges({ changes }: RunSummary, made: RecordChange[]) {
  for (const change of made) changes.set(`${change.change} ${change.email}`, change)
}

/** A run under way: what it was asked for, and what it keeps while it goes on. */
export interface Run extends ReconciliationOptions {
  summary: RunSummary
  /** @throws AlreadyAtWork when another process has taken over, AbortError when this one is to end */
  renewLease: () => Promise<void>
}
