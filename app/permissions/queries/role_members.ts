import db from '@adonisjs/lucid/services/db'
import { databaseMoment, isActive } from '#core/database/active_rows'
import { inByteOrder, usesPostgres } from '#core/database/dialect'
import { isOneOf, listValue, selectRows } from '#core/database/select_rows'
import { Turns } from '#core/values/turns'
import type Application from '#app/applications/models/application'
import { type UserSet, userSet } from '#app/permissions/values/user_set'

/** How much one statement reads at most: users of a role, and assignments of other roles. */
export const memberPart = { users: 1_000, assignments: 10_000 }

/** Reads the users whose access depends on the roles of an application. */
class MemberReader {
  readonly #numbers = new Map<string, number>()
  readonly #members = new Map<number, number[]>()
  readonly #now = databaseMoment()
  /** Queries of SQLite never wait, so they would leave others no turn. */
  readonly #turns = new Turns()

  constructor(
    private readonly application: Application,
    private readonly otherRoleIds: number[]
  ) {}

  async add(roleId: number) {
    const { users: limit, assignments } = memberPart
    for (let after = ''; ;) {
      const rows = await this.#read(roleId, after, limit)
      const emails = rows.filter(({ counts }) => counts).map(({ email }) => email)
      const known = this.#numbers.size
      for (const email of emails) this.#addTo(roleId, this.#numberOf(email))
      const added = emails.filter((email) => this.#numbers.get(email)! >= known)
      // Each of them can have all other roles.
      const atOnce = Math.ceil(assignments / Math.max(this.otherRoleIds.length, 1))
      for (let start = 0; start < added.length; start += atOnce) {
        await this.#addOtherRoles(added.slice(start, start + atOnce))
      }
      if (rows.length < limit) return
      after = rows.at(-1)!.email
    }
  }

  get members(): Map<number, UserSet> {
    const total = this.#numbers.size
    return new Map([...this.#members].map(([id, numbers]) => [id, userSet(numbers, total)]))
  }

  #numberOf(email: string): number {
    const number = this.#numbers.get(email) ?? this.#numbers.size
    this.#numbers.set(email, number)
    return number
  }

  #addTo(roleId: number, number: number) {
    const numbers = this.#members.get(roleId)
    if (numbers) numbers.push(number)
    else this.#members.set(roleId, [number])
  }

  /** A limit on rows that count would not limit those that are read. */
  #read(roleId: number, after: string, limit: number) {
    const ordered = inByteOrder[usesPostgres() ? 'postgres' : 'sqlite']('ur.email')
    const now = this.#now
    return this.#select<{ email: string; counts: boolean | number }>(
      `select ur.email, (${isActive('ur', '?')})
         and not exists (
           select 1 from super_admins s where s.email = ur.email and ${isActive('s', '?')}
         )
         and not exists (
           select 1 from application_admins m
           where m.email = ur.email and m.application_id = ? and ${isActive('m', '?')}
         )
         and not exists (select 1 from users u where u.email = ur.email and u.active = false)
         as counts
       from user_roles ur
       where ur.role_id = ? and ${ordered} > ?
       order by ${ordered} limit ?`,
      [now, now, now, now, this.application.id, now, now, roleId, after, limit]
    )
  }

  async #addOtherRoles(emails: string[]) {
    if (this.otherRoleIds.length === 0) return
    // With a plus, the databases find the rows by address: a role can have very many users.
    const rows = await this.#select<{ email: string; role_id: number }>(
      `select ur.email, ur.role_id from user_roles ur
       where ${isOneOf('ur.email')} and ${isOneOf('+ur.role_id')} and ${isActive('ur', '?')}`,
      [listValue(emails), listValue(this.otherRoleIds), this.#now, this.#now]
    )
    for (const { email, role_id: roleId } of rows) this.#addTo(roleId, this.#numbers.get(email)!)
  }

  async #select<Row>(sql: string, values: unknown[]): Promise<Row[]> {
    const rows = await selectRows<Row>(db.connection(), sql, values)
    if (this.#turns.isOver) await this.#turns.next()
    return rows
  }
}

/**
 * Finds the users of `roleIds`, and which of them have one of `otherRoleIds`. Users whose access
 * does not depend on roles are left out: super admins, application administrators and inactive
 * users. Each assignment is read once, in parts, outside of any transaction, so that nothing else
 * waits for roles with very many users.
 */
export async function readRoleMembers(
  application: Application,
  roleIds: number[],
  otherRoleIds: number[]
): Promise<Map<number, UserSet>> {
  const reader = new MemberReader(application, otherRoleIds)
  for (const roleId of roleIds) await reader.add(roleId)
  return reader.members
}
