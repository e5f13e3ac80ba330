import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { NotificationProviderSchema } from '#database/schema'

/** The e-mail provider at the identity provider that posts to this service. At most one row. */
export default class NotificationProvider extends NotificationProviderSchema {
  static readonly ONLY_ID = 1

  static current(client?: QueryClientContract): Promise<NotificationProvider | null> {
    return this.find(this.ONLY_ID, { client })
  }

  static remember(fields: { providerId: string; endpoint: string }, client: QueryClientContract) {
    return this.updateOrCreate({ id: this.ONLY_ID }, fields, { client })
  }
}
