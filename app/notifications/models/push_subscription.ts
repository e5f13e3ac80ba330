import { createHash } from 'node:crypto'
import { column } from '@adonisjs/lucid/orm'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type User from '#app/profiles/models/user'
import { PushSubscriptionSchema } from '#database/schema'

/** See delivery.md#subscription-fields. */
export default class PushSubscription extends PushSubscriptionSchema {
  // The naming strategy would use `p_256_dh`. Exports do not show with what messages are encrypted.
  @column({ columnName: 'p256dh', serializeAs: null })
  declare p256Dh: string

  @column({ serializeAs: null })
  declare auth: string

  /** Those of the account that the record has now (delivery.md#subscriptions-and-accounts). */
  static ofUser({ id, idpUserId }: User, client?: QueryClientContract) {
    return this.query({ client })
      .where('userId', id)
      .if(
        idpUserId === null,
        (query) => query.whereNull('idpUserId'),
        (query) => query.where('idpUserId', idpUserId!)
      )
  }

  /** The same for all spellings of an endpoint. Browsers write it as URLs are normalised. */
  static digestOf(endpoint: string): string {
    const url = URL.parse(endpoint)
    if (url) url.hash = ''
    const text = url ? url.href.replace(/\?$/, '') : endpoint
    return createHash('sha256').update(text).digest('hex')
  }
}
