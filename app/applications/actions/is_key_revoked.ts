import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import ApplicationKey from '#app/applications/models/application_key'

/** Whether a key that was valid is gone. */
export async function isKeyRevoked(id: number, client: QueryClientContract): Promise<boolean> {
  return (await ApplicationKey.find(id, { client })) === null
}
