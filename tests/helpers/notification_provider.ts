import db from '@adonisjs/lucid/services/db'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

/** There is only one e-mail provider, so tests start and end without one. */
export async function deleteStoredProvider() {
  for (const key of await ProviderSigningKey.all()) await key.delete()
  await NotificationProvider.query().delete()
  await db.from('provider_leases').where('name', 'notification-provider').delete()
}

/** The stored id and decrypted keys, newest first. */
export async function storedProvider() {
  const provider = await NotificationProvider.current()
  const keys = await ProviderSigningKey.query().orderBy('id', 'desc')
  return {
    id: provider?.providerId ?? null,
    keys: keys.map(({ signingKey }) => keyEncryption.decrypt(signingKey)),
  }
}
