import { setImmediate as nextTurn } from 'node:timers/promises'
import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditState } from '#core/audit/change'
import { recordChanges } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { insertRows } from '#core/database/insert_rows'
import { ValidationError } from '#core/exceptions/problems'
import { isTimestamp, toDateTime } from '#core/validation/fields'
import { normalizeEmail } from '#core/values/email'
import Application from '#app/applications/models/application'
import { lockUserRoles } from '#app/permissions/actions/lock_user_roles'
import { USER_ROLES } from '#app/permissions/actions/replace_user_roles'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { type TimeWindow, windowColumns, windowState } from '#app/permissions/values/time_window'
import type { ImportRow } from '#app/permissions/validators/import_rows'

/** Number of rows to process before other requests get a turn. */
const CHUNK = 500

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
  const emails = await inChunks(rows, async (chunk) => chunk.map(({ email }) => canonical(email)))
  return accessTransaction(
    async (trx, changed) => {
      const application = await Application.withCode(appCode, trx)
      await lockUserRoles(application, trx)
      const { wanted, errors } = await checkRows(application, rows, emails, trx)
      if (errors.length > 0 && !dryRun) {
        throw new ValidationError({ detail: errors[0].message, details: { errors } })
      }
      const created = await inChunks(distinct(wanted), (chunk) =>
        assignMissing(application, chunk, trx)
      )
      if (created.length > 0) changed({ application: appCode })
      return { created: created.length, unchanged: wanted.length - created.length, errors }
    },
    { dryRun }
  )
}

function canonical(email: unknown): string | null {
  return typeof email === 'string' ? normalizeEmail(email) : null
}

async function checkRows(
  application: Application,
  rows: ImportRow[],
  emails: (string | null)[],
  trx: TransactionClientContract
) {
  const roles = await Role.query({ client: trx }).where('applicationId', application.id)
  const idOf = new Map<unknown, number>(roles.map(({ code, id }) => [code, id]))
  const wanted: Assignment[] = []
  const errors: ImportError[] = []
  for (const [index, row] of rows.entries()) {
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

/** @returns the assignments that did not exist or had ended */
async function assignMissing(
  application: Application,
  wanted: Assignment[],
  trx: TransactionClientContract
) {
  const stored = await UserRole.query({ client: trx })
    .whereIn('email', [...new Set(wanted.map(({ email }) => email))])
    .whereIn('roleId', [...new Set(wanted.map(({ roleId }) => roleId))])
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
  await insertRows(USER_ROLES, rows, trx)
  await recordAssignments(application, missing, ended, trx)
  return missing
}

/** One entry per user. */
async function recordAssignments(
  application: Application,
  created: Assignment[],
  replaced: UserRole[],
  trx: TransactionClientContract
) {
  const formerly = new Map(replaced.map((row) => [`${row.roleId}:${row.email}`, row]))
  const changes = [...Map.groupBy(created, ({ email }) => email)].map(([email, ofUser]) => {
    const before: AuditState = Object.fromEntries(
      ofUser.flatMap(({ roleId, role }) => {
        const former = formerly.get(`${roleId}:${email}`)
        return former ? [[role, windowFields(former)]] : []
      })
    )
    const after = Object.fromEntries(ofUser.map((row) => [row.role, windowFields(row)]))
    const target = userTarget(email)
    return { action: 'user.roles_replaced' as const, application, target, before, after, email }
  })
  await recordChanges(trx, changes)
}

async function inChunks<T, R>(items: T[], work: (chunk: T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += CHUNK) {
    results.push(...(await work(items.slice(start, start + CHUNK))))
    await nextTurn()
  }
  return results
}
