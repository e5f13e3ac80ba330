import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import NotificationType from '#app/notifications/models/notification_type'

export const GENERIC_TYPE = 'generic'

/** Creates the type if it is missing and returns whether it was. Never changes an existing one. */
export async function ensureGenericType(
  applicationId: number,
  trx: TransactionClientContract
): Promise<boolean> {
  const type = await NotificationType.firstOrCreate(
    { applicationId, code: GENERIC_TYPE },
    { name: 'Generic', description: null },
    { client: trx }
  )
  return type.$isLocal
}
