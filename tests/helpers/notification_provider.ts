import db from '@adonisjs/lucid/services/db'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'

/** There is one e-mail provider in all: whoever tests with it begins and ends without. */
export async function forgetProvider() {
  for (const key of await ProviderSigningKey.all()) await key.delete()
  await NotificationProvider.query().delete()
  await db.from('provider_leases').where('name', 'notification-provider').delete()
}
