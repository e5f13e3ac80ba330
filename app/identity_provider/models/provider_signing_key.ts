import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import { DateTime } from 'luxon'
import { TtlCache } from '#core/database/ttl_cache'
import { ProviderSigningKeySchema } from '#database/schema'

const stored = new TtlCache<'keys', ProviderSigningKey[]>(async () =>
  ProviderSigningKey.query().orderBy('id', 'desc')
)

/** A key with which the identity provider signs, or signed until lately, what it posts to this service. */
export default class ProviderSigningKey extends ProviderSigningKeySchema {
  /** Those that count now, the newest first; asked of the database once a second at most. */
  static async accepted(): Promise<ProviderSigningKey[]> {
    const now = DateTime.utc()
    const keys = await stored.get('keys')
    return keys.filter(({ acceptedUntil }) => acceptedUntil === null || acceptedUntil > now)
  }

  /** The one no other has taken the place of, straight from the database. */
  static inUse(): Promise<ProviderSigningKey | null> {
    return this.query().whereNull('acceptedUntil').orderBy('id', 'desc').first()
  }

  @afterSave()
  @afterDelete()
  static forgetStored(key: ProviderSigningKey) {
    stored.forgetAfter(key)
  }
}
