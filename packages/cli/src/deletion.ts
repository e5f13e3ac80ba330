import { unwrap } from '@concierge/client'
import type { Command } from 'commander'
import type { Session } from './session.ts'

export interface DeletionOptions {
  dryRun?: boolean
}

export const withDryRun = (target: Command) =>
  target.option('--dry-run', 'show what would be deleted without deleting it')

export const DRY_RUN = { dryRun: 'true' } as const

/** Prints what a dry run would delete. */
export async function printDeletion(
  session: Session,
  result: Parameters<typeof unwrap<unknown>>[0]
): Promise<void> {
  // The other response, without a body, is that of a deletion.
  const { data } = (await unwrap(result)) as { data: { deletes: unknown[] } }
  session.print(data.deletes, ['kind', 'count', 'names'])
}
