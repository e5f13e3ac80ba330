import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { columnsOf, plainRows } from '#core/database/plain_rows'
import { isTimestamp, toDateTime } from '#core/validation/fields'
import { normalizeEmail } from '#core/values/email'
import type { Turns } from '#core/values/turns'
import type Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'
import type { TimeWindow } from '#app/permissions/values/time_window'
import type { ImportRow } from '#app/permissions/validators/import_rows'

export interface ImportError {
  /** The line of a CSV file, or the position in `rows`, from 1. */
  row: number
  /** Such as `rows.0.email`. */
  field: string
  rule: string
  message: string
}

export interface Assignment extends TimeWindow {
  email: string
  roleId: number
  /** A code. */
  role: string
}

export interface ImportWork {
  trx: TransactionClientContract
  /** Queries of SQLite never wait, so they would leave others no turn. */
  turns: Turns
}

/** The address of each row in its canonical form; null if it is none. */
export async function canonicalEmails(rows: ImportRow[], turns: Turns): Promise<(string | null)[]> {
  const emails: (string | null)[] = []
  for (const { email } of rows) {
    if (turns.isOver) await turns.next()
    emails.push(typeof email === 'string' ? normalizeEmail(email) : null)
  }
  return emails
}

/** Finds the assignments that valid rows want, and the faults of all others. */
export async function checkImportRows(
  application: Application,
  { rows, emails }: { rows: ImportRow[]; emails: (string | null)[] },
  { trx, turns }: ImportWork
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
