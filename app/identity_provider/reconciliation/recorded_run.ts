import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import { toProblem } from '#core/exceptions/to_problem'
import { reconcileUsers } from '#app/identity_provider/reconciliation/reconcile_users'
import type {
  ReconciliationOptions,
  RunSummary,
} from '#app/identity_provider/reconciliation/reconciliation'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'
import ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'

const PROGRESS_EVERY_MS = 2_000

/** Adds a run that begins now to the history. */
export const beginRun = (
  trigger: 'schedule' | 'command',
  { dryRun = false, orgId = null as string | null } = {}
): Promise<ReconciliationRecord> =>
  ReconciliationRecord.create({
    trigger,
    dryRun,
    orgId,
    status: 'running',
    changes: {},
    startedAt: DateTime.utc(),
    seenAt: DateTime.utc(),
  })

/**
 * Reconciles users, and keeps its progress and outcome in the history.
 *
 * @param summary as in `reconcileUsers`
 * @throws as `reconcileUsers` does
 */
export async function runRecorded(
  { id }: ReconciliationRecord,
  options: ReconciliationOptions,
  summary: RunSummary
): Promise<void> {
  // An update after the end finds no running row.
  const update = (fields: object) =>
    db
      .from(ReconciliationRecord.table)
      .where({ id, status: 'running' })
      .update({ ...figuresOf(summary), seen_at: now(), ...fields })
  const progress = setInterval(() => {
    update({}).catch((error: unknown) =>
      logger.warn({ error: describeError(error) }, 'The progress of a reconciliation was not saved')
    )
  }, PROGRESS_EVERY_MS)
  const end = (status: ReconciliationRecord['status'], error: string | null = null) =>
    update({ status, error, ended_at: now() })
  try {
    await reconcileUsers(options, summary)
    clearInterval(progress)
    await end('succeeded')
  } catch (error) {
    clearInterval(progress)
    if (options.stopping?.aborted) await end('interrupted')
    else await end('failed', codeOf(error))
    throw error
  }
}

const now = () => toDatabaseTimestamp(DateTime.utc())

const codeOf = (error: unknown) => (error instanceof Problem ? error : toProblem(error)).kind.code

function figuresOf({ read, changes, skipped }: RunSummary) {
  return { read, changes: JSON.stringify(countChanges([...changes.values()])), ...skipped }
}

function countChanges(changes: RecordChange[]): Partial<Record<RecordChange['change'], number>> {
  const counts: Partial<Record<RecordChange['change'], number>> = {}
  for (const { change } of changes) counts[change] = (counts[change] ?? 0) + 1
  return counts
}
