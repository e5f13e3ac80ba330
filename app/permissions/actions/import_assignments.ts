import { DateTime } from 'luxon'
import type { AuditState, Change } from '#core/audit/change'
import { recordChanges } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { insertRows } from '#core/database/insert_rows'
import type { PlainRow } from '#core/database/plain_rows'
import { ValidationError } from '#core/exceptions/problems'
import { Turns } from '#core/values/turns'
import Application from '#app/applications/models/application'
import {
  type Assignment,
  type ImportError,
  type ImportWork,
  canonicalEmails,
  checkImportRows,
} from '#app/permissions/actions/check_import_rows'
import { lockUserRoles } from '#app/permissions/actions/lock_user_roles'
import { USER_ROLES } from '#app/permissions/actions/replace_user_roles'
import UserRole from '#app/permissions/models/user_role'
import { findAssigned } from '#app/permissions/queries/assigned_pairs'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { windowColumns, windowState } from '#app/permissions/values/time_window'
import type { ImportRow } from '#app/permissions/validators/import_rows'

/** How many assignments are stored together. */
const CHUNK = 500
/** How many audit entries are stored together. */
const ENTRIES = 100

export interface ImportResult {
  /** Number of assignments that did not exist or had ended. */
  created: number
  /** Rows whose assignment exists, or is in an earlier row. */
  unchanged: number
  /** Invalid rows; without a dry run, the import is refused if there are any. */
  errors: ImportError[]
}

/**
 * Assigns roles to users. Existing assignments stay as they are, unless their time window has
 * ended.
 *
 * @throws ApplicationNotFound, ValidationError that lists every invalid row, unless it is a dry run
 */
export async function importAssignments(
  appCode: string,
  rows: ImportRow[],
  { dryRun = false }: { dryRun?: boolean } = {}
): Promise<ImportResult> {
  const turns = new Turns()
  const emails = await canonicalEmails(rows, turns)
  return accessTransaction(
    async (trx, changed) => {
      const application = await Application.withCode(appCode, trx)
      await lockUserRoles(application, trx)
      const given = { rows, emails }
      const { wanted, errors } = await checkImportRows(application, given, { trx, turns })
      if (errors.length > 0 && !dryRun) {
        throw new ValidationError({ detail: errors[0].message, details: { errors } })
      }
      const assignments = distinct(wanted)
      let created = 0
      for (let start = 0; start < assignments.length; start += CHUNK) {
        const chunk = assignments.slice(start, start + CHUNK)
        created += await assignMissing(application, chunk, { trx, turns })
      }
      if (created > 0) changed({ application: appCode })
      return { created, unchanged: wanted.length - created, errors }
    },
    { dryRun }
  )
}

/** The first of each. */
function distinct(assignments: Assignment[]): Assignment[] {
  const byKey = Map.groupBy(assignments, ({ roleId, email }) => `${roleId}:${email}`)
  return [...byKey.values()].map(([first]) => first)
}

/** @returns how many of the assignments did not exist or had ended */
async function assignMissing(
  application: Application,
  wanted: Assignment[],
  { trx, turns }: ImportWork
): Promise<number> {
  const stored = await findAssigned(wanted, trx)
  if (turns.isOver) await turns.next()
  const { ended = [], current = [] } = Object.groupBy(stored, (row) =>
    windowState(row) === 'ended' ? 'ended' : 'current'
  )
  const replaced = ended.map(({ id }) => id)
  await UserRole.query({ client: trx }).whereIn('id', replaced).delete()
  const known = new Set(current.map(({ email, roleId }) => `${roleId}:${email}`))
  const missing = wanted.filter(({ email, roleId }) => !known.has(`${roleId}:${email}`))
  const createdAt = toDatabaseTimestamp(DateTime.utc())
  const rows = missing.map(({ email, roleId, role, ...window }) => {
    return { email, role_id: roleId, created_at: createdAt, ...windowColumns(window) }
  })
  if (turns.isOver) await turns.next()
  await insertRows(USER_ROLES, rows, trx)
  const changes = changesOf(application, missing, ended)
  for (let start = 0; start < changes.length; start += ENTRIES) {
    if (turns.isOver) await turns.next()
    await recordChanges(trx, changes.slice(start, start + ENTRIES))
  }
  if (turns.isOver) await turns.next()
  return missing.length
}

/** One per user. */
function changesOf(
  application: Application,
  created: Assignment[],
  replaced: PlainRow<UserRole>[]
): Change[] {
  const formerly = new Map(replaced.map((row) => [`${row.roleId}:${row.email}`, row]))
  return [...Map.groupBy(created, ({ email }) => email)].map(([email, ofUser]) => {
    const before: AuditState = Object.fromEntries(
      ofUser.flatMap(({ roleId, role }) => {
        const former = formerly.get(`${roleId}:${email}`)
        return former ? [[role, windowFields(former)]] : []
      })
    )
    const after = Object.fromEntries(ofUser.map((row) => [row.role, windowFields(row)]))
    const target = userTarget(email)
    return { action: 'user.roles_replaced', application, target, before, after, email }
  })
}
