import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

/** Requests in transit still use it (identity-provider.md#stored-signing-keys). */
const FORMER_KEYS_ACCEPTED_MINUTES = 10

/** Stores the new current key, encrypted. The previous key expires in ten minutes. */
export async function storeSigningKey(signingKey: string, trx: TransactionClientContract) {
  const now = DateTime.utc()
  const until = toDatabaseTimestamp(now.plus({ minutes: FORMER_KEYS_ACCEPTED_MINUTES }))
  await ProviderSigningKey.query({ client: trx })
    .where('acceptedUntil', '<', toDatabaseTimestamp(now))
    .delete()
  await ProviderSigningKey.query({ client: trx })
    .whereNull('acceptedUntil')
    .update({ acceptedUntil: until })
  const encrypted = keyEncryption.encrypt(signingKey)
  await ProviderSigningKey.create({ signingKey: encrypted, acceptedUntil: null }, { client: trx })
}
