import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import { InstanceExists, InstanceNotFound, TooManyInstances } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'

export const MAX_INSTANCES = 100

export interface InstanceFields {
  name: string
  baseUrl: string
  callbackUrls?: string[]
  postLogoutUrls?: string[]
}

/** Whether the caller may approve the URLs of an instance. */
export interface InstanceAuthor {
  isSuperAdmin: boolean
}

/**
 * Adds an instance, which is approved if a super admin adds it.
 *
 * @throws ApplicationNotFound, InstanceExists, TooManyInstances
 */
export async function createInstance(
  appCode: string,
  fields: InstanceFields,
  { isSuperAdmin }: InstanceAuthor
): Promise<Instance> {
  return unlessTaken(InstanceExists, () =>
    transaction(async (trx) => {
      const { id: applicationId } = await Application.lockWithCode(appCode, trx)
      const existing = Instance.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_INSTANCES, TooManyInstances)
      return Instance.create(
        { callbackUrls: [], postLogoutUrls: [], ...fields, applicationId, approved: isSuperAdmin },
        { client: trx }
      )
    })
  )
}

/**
 * Changes the given fields. An approval covers the URLs: if anybody but a super admin changes them,
 * it ends. A change by a super admin does not approve the instance, because the other URLs may come
 * from somebody else.
 *
 * @throws ApplicationNotFound, InstanceNotFound, InstanceExists
 */
export async function updateInstance(
  appCode: string,
  id: number,
  fields: Partial<InstanceFields>,
  { isSuperAdmin }: InstanceAuthor
) {
  return unlessTaken(InstanceExists, () =>
    transaction(async (trx) => {
      const instance = await lockInstance(appCode, id, trx)
      const before = instance.urls
      instance.merge(fields)
      if (!isSuperAdmin && !instance.hasUrls(before)) instance.approved = false
      return instance.save()
    })
  )
}

/** @throws ApplicationNotFound, InstanceNotFound */
export async function deleteInstance(appCode: string, id: number) {
  await transaction(async (trx) => {
    const instance = await lockInstance(appCode, id, trx)
    await instance.delete()
  })
}

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
  if (!instance) throw new InstanceNotFound()
  return instance
}
