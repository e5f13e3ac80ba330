import { createHash } from 'node:crypto'
import { column } from '@adonisjs/lucid/orm'
import { PushSubscriptionSchema } from '#database/schema'

/** See delivery.md#subscription-fields. */
export default class PushSubscription extends PushSubscriptionSchema {
  // The naming strategy would use `p_256_dh`. Exports do not show with what messages are encrypted.
  @column({ columnName: 'p256dh', serializeAs: null })
  declare p256Dh: string

  @column({ serializeAs: null })
  declare auth: string

  /** The same for all spellings of an endpoint. Browsers write it as URLs are normalised. */
  static digestOf(endpoint: string): string {
    const url = URL.parse(endpoint)
    if (url) url.hash = ''
    const text = url ? url.href.replace(/\?$/, '') : endpoint
    return createHash('sha256').update(text).digest('hex')
  }
}
