import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { containing } from '#core/database/filter_by_text'
import { ProviderUserSchema } from '#database/schema'
import User from '#app/profiles/models/user'

/** What the identity provider reported about one of its users, even if they have no record here. */
export default class ProviderUser extends ProviderUserSchema {
  /** The accounts that have had the address, or to which its record is bound. */
  static about(email: string, client?: QueryClientContract) {
    const facts = usesPostgres() ? 'facts::text' : 'facts'
    const bound = User.query({ client }).where({ email }).select('idpUserId')
    return this.query({ client }).where((accounts) => {
      void accounts
        .whereRaw(`${facts} like ? escape '\\'`, [containing(JSON.stringify(email))])
        .orWhereIn('idpUserId', bound)
    })
  }
}
