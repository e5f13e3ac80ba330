import { deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { KeyNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import ApplicationKey from '#app/applications/models/application_key'
import { applicationKeyResource } from '#app/applications/transformers/application_key_resource'
import { keyTarget } from '#app/applications/values/audit_targets'
import { notInApplication } from '#app/applications/values/not_in_application'

/** @throws ApplicationNotFound, KeyNotFound, also for a key of another application */
export async function revokeKey(appCode: string, id: number, dryRun = false) {
  const { key, preview } = await transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    const found = await ApplicationKey.query({ client: trx })
      .where('applicationId', application.id)
      .where('id', id)
      .forUpdate()
      .first()
    if (!found) throw new KeyNotFound(notInApplication(`Key ${id}`, appCode))
    const deletion = { target: keyTarget(found), before: applicationKeyResource(found) }
    const change = { action: 'application_key.revoked' as const, application, ...deletion }
    return { key: found, preview: await deleteRow(found, change, dryRun) }
  })
  if (preview) return preview
  const { name, prefix } = key
  const facts = { application: appCode, keyId: id, keyName: name, prefix }
  logSecurityEvent('key_revoked', 'An application key was revoked', facts)
  return null
}
