import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import { DateTime } from 'luxon'
import { TtlCache } from '#core/database/ttl_cache'
import { outsideRequests } from '#core/http/outside_requests'
import { ProviderSigningKeySchema } from '#database/schema'

const stored = new TtlCache<'keys', ProviderSigningKey[]>(() =>
  outsideRequests(() => ProviderSigningKey.query().orderBy('id', 'desc').exec())
)

/** A key with which the identity provider signs, or recently signed, its requests. */
export default class ProviderSigningKey extends ProviderSigningKeySchema {
  /** Newest first, cached for a second. */
  static async accepted(): Promise<ProviderSigningKey[]> {
    const now = DateTime.utc()
    const keys = await stored.get('keys')
    return keys.filter(({ acceptedUntil }) => acceptedUntil === null || acceptedUntil > now)
  }

  /** Reads the key that no other has replaced, without the cache. */
  static current(): Promise<ProviderSigningKey | null> {
    return this.query().whereNull('acceptedUntil').orderBy('id', 'desc').first()
  }

  @afterSave()
  @afterDelete()
  static forgetStored(key: ProviderSigningKey) {
    stored.clearAfterCommit(key)
  }
}
