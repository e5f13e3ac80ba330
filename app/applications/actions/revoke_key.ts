import { logSecurityEvent } from '#core/security_events'
import { KeyNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import ApplicationKey from '#app/applications/models/application_key'
import { notInApplication } from '#app/applications/values/not_in_application'

/** @throws ApplicationNotFound, KeyNotFound, also for a key of another application */
export async function revokeKey(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  const key = await ApplicationKey.query()
    .where('applicationId', application.id)
    .where('id', id)
    .first()
  if (!key) throw new KeyNotFound(notInApplication(`Key ${id}`, appCode))
  await key.delete()
  const { name, prefix } = key
  const facts = { application: appCode, keyId: id, keyName: name, prefix }
  logSecurityEvent('key_revoked', 'An application key was revoked', facts)
}
