import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Tables that connect an address with an application (webhooks.md#users-of-an-application). */
function connections(trx: TransactionClientContract) {
  return [
    {
      query: trx.from('user_roles').join('roles as a', 'a.id', 'user_roles.role_id'),
      email: 'user_roles.email',
    },
    {
      query: trx
        .from('resource_overrides')
        .join('permissions as a', 'a.id', 'resource_overrides.permission_id'),
      email: 'resource_overrides.email',
    },
    { query: trx.from('application_admins as a'), email: 'a.email' },
    {
      query: trx.from('application_preferences as a').join('users', 'users.id', 'a.user_id'),
      email: 'users.email',
    },
  ]
}

/** Which of the addresses belong to which of the applications. */
export class Members {
  readonly #pairs: Set<string>

  private constructor(pairs: Set<string>) {
    this.#pairs = pairs
  }

  static async read(
    emails: string[],
    applicationIds: number[],
    trx: TransactionClientContract
  ): Promise<Members> {
    const pairs = new Set<string>()
    if (emails.length > 0 && applicationIds.length > 0) {
      for (const { query, email } of connections(trx)) {
        const rows: { application_id: number; email: string }[] = await query
          .whereIn(email, emails)
          .whereIn('a.application_id', applicationIds)
          .select('a.application_id', `${email} as email`)
          .distinct()
        for (const row of rows) pairs.add(pairOf(row.email, row.application_id))
      }
    }
    return new Members(pairs)
  }

  add(email: string, applicationId: number) {
    this.#pairs.add(pairOf(email, applicationId))
  }

  has(email: string, applicationId: number): boolean {
    return this.#pairs.has(pairOf(email, applicationId))
  }
}

const pairOf = (email: string, applicationId: number) => `${applicationId} ${email}`
