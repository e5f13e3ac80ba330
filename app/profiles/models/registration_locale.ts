import { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { RegistrationLocaleSchema } from '#database/schema'

/** The language of a registration (identity-provider.md#registration-locale). */
export default class RegistrationLocale extends RegistrationLocaleSchema {
  static async of(email: string, organisationId: string): Promise<string | null> {
    const row = await this.#current().where({ email, organisationId }).first()
    return row?.locale ?? null
  }

  /** The language of each user's latest registration in any organisation, by address. */
  static async latestOf(emails: string[], client?: QueryClientContract) {
    const rows = await this.#current(client).whereIn('email', emails).orderBy('updatedAt')
    return new Map(rows.map(({ email, locale }) => [email, locale]))
  }

  static #current(client?: QueryClientContract) {
    return RegistrationLocale.query({ client }).where(
      'expiresAt',
      '>',
      toDatabaseTimestamp(DateTime.utc())
    )
  }
}
