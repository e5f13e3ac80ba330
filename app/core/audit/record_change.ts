import { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { requireSameAccess } from '#core/changes/caller_access'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { currentActor } from '#core/audit/audit_actor'
import { auditReason } from '#core/audit/audit_reason'
import type { Change } from '#core/audit/change'
import { changedFields } from '#core/audit/changed_fields'
import { currentTime } from '#core/values/clock'

const AUDIT_ENTRIES: Destination = {
  table: 'audit_entries',
  columns: {
    at: 'timestamptz',
    actor_kind: 'text',
    actor_email: 'text',
    actor_name: 'text',
    action: 'text',
    application_id: 'integer',
    application: 'text',
    target_kind: 'text',
    target_id: 'text',
    target_label: 'text',
    email: 'text',
    state_before: 'text',
    state_after: 'text',
    request_id: 'text',
    address: 'text',
    reason: 'text',
  },
}

/**
 * Adds an entry to the audit trail in the transaction of the change. A change of nothing has none.
 * @throws ValidationError if the request gives a reason that is too long
 */
export async function recordChange(trx: TransactionClientContract, change: Change) {
  await recordChanges(trx, [change])
}

/**
 * The same for several changes, with one statement. If the caller's access has changed since the
 * request began, the guards decide again.
 */
export async function recordChanges(trx: TransactionClientContract, changes: Change[]) {
  const ctx = HttpContext.get()
  await requireSameAccess(trx)
  await insertEntries(trx, changes, ctx && auditReason(ctx))
}

/** For what has been done elsewhere already, whether or not the caller may do it any more. */
export async function recordDone(trx: TransactionClientContract, change: Change) {
  const ctx = HttpContext.get()
  await insertEntries(trx, [change], ctx && auditReason(ctx))
}

type AuditRow = Record<string, unknown>

/** The entry of a change that this request may be about to make elsewhere. */
export function auditRowOf(change: Change): AuditRow {
  const ctx = HttpContext.get()
  return rowsOf([change], ctx ? auditReason(ctx) : null)[0]
}

/** Adds entries that `auditRowOf` has made, also in another process. */
export async function recordAuditRows(trx: TransactionClientContract, rows: AuditRow[]) {
  await insertRows(AUDIT_ENTRIES, rows, trx)
}

/** For a change that a request causes without asking for it, such as what a sign-in stores. */
export async function recordSideEffect(trx: TransactionClientContract, change: Change) {
  await insertEntries(trx, [change], null)
}

async function insertEntries(
  trx: TransactionClientContract,
  changes: Change[],
  reason: string | null
) {
  await insertRows(AUDIT_ENTRIES, rowsOf(changes, reason), trx)
}

/** A change of nothing has none. */
function rowsOf(changes: Change[], reason: string | null): AuditRow[] {
  const origin = { ...readOrigin(), reason }
  return changes.flatMap((change) => {
    const states = changedFields(change)
    return states === null ? [] : [{ ...origin, ...columnsOf(change), ...columnsOfStates(states) }]
  })
}

/** Who makes the change, when, and how. */
function readOrigin() {
  const ctx = HttpContext.get()
  const { kind, email = null, name = null } = currentActor()
  return {
    at: toDatabaseTimestamp(DateTime.fromMillis(currentTime(), { zone: 'utc' })),
    actor_kind: kind,
    actor_email: email,
    actor_name: name,
    request_id: ctx?.requestId ?? null,
    address: ctx?.clientAddress ?? null,
  }
}

function columnsOf({ action, application, target, email }: Change) {
  return {
    action,
    application_id: application?.id ?? null,
    application: application?.code ?? null,
    target_kind: target.kind,
    target_id: String(target.id),
    target_label: target.label,
    email: email ?? null,
  }
}

function columnsOfStates({ before, after }: Pick<Change, 'before' | 'after'>) {
  return {
    state_before: before && JSON.stringify(before),
    state_after: after && JSON.stringify(after),
  }
}
