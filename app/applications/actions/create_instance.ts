import { requireRoom } from '#core/database/require_room'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { InstanceExists, TooManyInstances } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import { auditedInstance } from '#app/applications/transformers/audited_rows'

export const MAX_INSTANCES = 100

export interface InstanceFields {
  name: string
  baseUrl: string
  callbackUrls?: string[]
  postLogoutUrls?: string[]
}

export interface InstanceAuthor {
  isSuperAdmin: boolean
}

/** @throws ApplicationNotFound, InstanceExists, TooManyInstances */
export async function createInstance(
  appCode: string,
  fields: InstanceFields,
  { isSuperAdmin }: InstanceAuthor
): Promise<Instance> {
  return mapUniqueViolation(InstanceExists, () =>
    transaction(async (trx) => {
      const application = await Application.lockWithCode(appCode, trx)
      const applicationId = application.id
      const existing = Instance.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_INSTANCES, TooManyInstances)
      const instance = await Instance.create(
        { callbackUrls: [], postLogoutUrls: [], ...fields, applicationId, approved: isSuperAdmin },
        { client: trx }
      )
      await recordChange(trx, creationOf(auditedInstance(instance, appCode)))
      return instance
    })
  )
}
