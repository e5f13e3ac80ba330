import db from '@adonisjs/lucid/services/db'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

/** There is one e-mail provider in all: whoever tests with it begins and ends without. */
export async function forgetProvider() {
  for (const key of await ProviderSigningKey.all()) await key.delete()
  await NotificationProvider.query().delete()
  await db.from('provider_leases').where('name', 'notification-provider').delete()
}

/** What is stored of it, straight from the database: its id, and the keys that count, decrypted, the newest first. */
export async function storedProvider() {
  const provider = await NotificationProvider.current()
  const keys = await ProviderSigningKey.query().orderBy('id', 'desc')
  return {
    id: provider?.providerId ?? null,
    keys: keys.map(({ signingKey }) => keyEncryption.decrypt(signingKey)),
  }
}
