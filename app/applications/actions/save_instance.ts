import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import { InstanceExists, InstanceNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'

export interface InstanceFields {
  name: string
  baseUrl: string
  callbackUrls?: string[]
  postLogoutUrls?: string[]
}

/** @throws ApplicationNotFound, InstanceExists */
export async function createInstance(appCode: string, fields: InstanceFields): Promise<Instance> {
  return unlessTaken(InstanceExists, () =>
    transaction(async (trx) => {
      const { id: applicationId } = await Application.withCode(appCode, trx)
      return Instance.create(
        { callbackUrls: [], postLogoutUrls: [], ...fields, applicationId },
        { client: trx }
      )
    })
  )
}

/** @throws ApplicationNotFound, InstanceNotFound, InstanceExists */
export async function updateInstance(appCode: string, id: number, fields: Partial<InstanceFields>) {
  const instance = await findInstance(appCode, id)
  return unlessTaken(InstanceExists, () => instance.merge(fields).save())
}

/** @throws ApplicationNotFound, InstanceNotFound */
export async function deleteInstance(appCode: string, id: number) {
  const instance = await findInstance(appCode, id)
  await instance.delete()
}

async function findInstance(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  const instance = await Instance.query()
    .where('applicationId', application.id)
    .where('id', id)
    .first()
  if (!instance) throw new InstanceNotFound()
  return instance
}
