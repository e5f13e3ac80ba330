import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { InstanceNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import { notInApplication } from '#app/applications/values/not_in_application'

/**
 * Locks the instance until the transaction ends, so that an approval and a change of its URLs
 * cannot interleave.
 *
 * @throws ApplicationNotFound, InstanceNotFound
 */
export async function lockInstance(appCode: string, id: number, trx: TransactionClientContract) {
  const application = await Application.withCode(appCode, trx)
  const instance = await Instance.query({ client: trx })
    .where('applicationId', application.id)
    .where('id', id)
    .forUpdate()
    .first()
  if (!instance) throw new InstanceNotFound(notInApplication(`Instance ${id}`, appCode))
  return instance
}
