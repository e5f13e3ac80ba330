import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditState, Change } from '#core/audit/change'
import { recordChanges } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { insertRows } from '#core/database/insert_rows'
import { type PlainRow, columnsOf, plainRows } from '#core/database/plain_rows'
import { ValidationError } from '#core/exceptions/problems'
import { isTimestamp, toDateTime } from '#core/validation/fields'
import { normalizeEmail } from '#core/values/email'
import { Turns } from '#core/values/turns'
import Application from '#app/applications/models/application'
import { lockUserRoles } from '#app/permissions/actions/lock_user_roles'
import { USER_ROLES } from '#app/permissions/actions/replace_user_roles'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { findAssigned } from '#app/permissions/queries/assigned_pairs'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { type TimeWindow, windowColumns, windowState } from '#app/permissions/values/time_window'
import type { ImportRow } from '#app/permissions/validators/import_rows'

/** How many rows are stored together. */
const CHUNK = 500
/** How many audit entries are. */
const ENTRIES = 100

export interface ImportError {
  /** The line of a CSV file, or the position in `rows`, from 1. */
  row: number
  /** Such as `rows.0.email`. */
  field: string
  rule: string
  message: string
}

export interface ImportResult {
  /** Number of assignments that did not exist or had ended. */
  created: number
  /** Rows whose assignment exists, or is in an earlier row. */
  unchanged: number
  /** Invalid rows; without a dry run, the import is refused if there are any. */
  errors: ImportError[]
}

interface Assignment extends TimeWindow {
  email: string
  roleId: number
  /** A code. */
  role: string
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
  const emails = await canonical(rows, turns)
  return accessTransaction(
    async (trx, changed) => {
      const application = await Application.withCode(appCode, trx)
      await lockUserRoles(application, trx)
      const { wanted, errors } = await checkRows(application, { rows, emails }, { trx, turns })
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

interface Work {
  trx: TransactionClientContract
  /** Queries of SQLite never wait, so they would leave others no turn. */
  turns: Turns
}

async function canonical(rows: ImportRow[], turns: Turns): Promise<(string | null)[]> {
  const emails: (string | null)[] = []
  for (const { email } of rows) {
    if (turns.isOver) await turns.next()
    emails.push(typeof email === 'string' ? normalizeEmail(email) : null)
  }
  return emails
}

async function checkRows(
  application: Application,
  { rows, emails }: { rows: ImportRow[]; emails: (string | null)[] },
  { trx, turns }: Work
) {
  const roles = await plainRows(
    Role.query({ client: trx })
      .where('applicationId', application.id)
      .select(...columnsOf(Role, ['id', 'code']))
  )
  const idOf = new Map<unknown, number>(roles.map(({ code, id }) => [code, id]))
  const wanted: Assignment[] = []
  const errors: ImportError[] = []
  for (const [index, row] of rows.entries()) {
    if (turns.isOver) await turns.next()
    const [email, roleId] = [emails[index], idOf.get(row.role)]
    const fault = faultOf(row, email, roleId, application.code)
    if (fault === null) {
      wanted.push({ email: email!, roleId: roleId!, role: String(row.role), ...windowOf(row) })
    } else {
      const { field, rule, text } = fault
      const path = ['rows', index, field].filter((part) => part !== null).join('.')
      errors.push({ row: row.row, field: path, rule, message: `Row ${row.row}: ${text}` })
    }
  }
  return { wanted, errors }
}

function faultOf(
  { validFrom, validUntil, isTooLong }: ImportRow,
  email: string | null,
  roleId: number | undefined,
  appCode: string
) {
  if (isTooLong) return { field: null, rule: 'columns', text: 'the row has too many columns' }
  if (email === null) {
    return { field: 'email', rule: 'email', text: 'email must be an e-mail address' }
  }
  if (roleId === undefined) {
    const text = `role must be the code of a role of application ${appCode}`
    return { field: 'role', rule: 'exists', text }
  }
  for (const [field, value] of Object.entries({ validFrom, validUntil })) {
    if (!isMoment(value)) {
      return { field, rule: 'timestamp', text: `${field} must be empty or an ISO 8601 timestamp` }
    }
  }
  const window = windowOf({ validFrom, validUntil })
  if (window.validFrom && window.validUntil && window.validUntil <= window.validFrom) {
    return { field: 'validUntil', rule: 'window', text: 'validUntil must be after validFrom' }
  }
  return null
}

function isMoment(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isTimestamp(value))
}

function windowOf({ validFrom, validUntil }: Pick<ImportRow, 'validFrom' | 'validUntil'>) {
  const toMoment = (value: unknown) => (typeof value === 'string' ? toDateTime(value) : null)
  return { validFrom: toMoment(validFrom), validUntil: toMoment(validUntil) }
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
  { trx, turns }: Work
): Promise<number> {
  const turn = async () => {
    if (turns.isOver) await turns.next()
  }
  const stored = await findAssigned(wanted, trx)
  await turn()
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
  await turn()
  await insertRows(USER_ROLES, rows, trx)
  const changes = changesOf(application, missing, ended)
  for (let start = 0; start < changes.length; start += ENTRIES) {
    await turn()
    await recordChanges(trx, changes.slice(start, start + ENTRIES))
  }
  await turn()
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
