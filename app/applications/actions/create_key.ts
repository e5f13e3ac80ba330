import type { DateTime } from 'luxon'
import { requireRoom } from '#core/database/require_room'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { TooManyKeys } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import ApplicationKey from '#app/applications/models/application_key'
import { applicationKeyResource } from '#app/applications/transformers/application_key_resource'
import { keyTarget } from '#app/applications/values/audit_targets'
import { keyDigest, generateKeyText, keyPrefix } from '#app/applications/values/key_text'

export const MAX_KEYS = 20

export interface KeyFields {
  name: string
  expiresAt?: DateTime
}

/**
 * @returns the stored row, and the key itself, which is not stored
 * @throws ApplicationNotFound, TooManyKeys
 */
export async function createKey(appCode: string, { name, expiresAt }: KeyFields) {
  const text = generateKeyText()
  const key = await transaction(async (trx) => {
    const application = await Application.lockWithCode(appCode, trx)
    const existing = ApplicationKey.query({ client: trx }).where('applicationId', application.id)
    await requireRoom(existing, MAX_KEYS, TooManyKeys)
    const created = await ApplicationKey.create(
      {
        applicationId: application.id,
        name,
        prefix: keyPrefix(text),
        digest: keyDigest(text),
        expiresAt: expiresAt ?? null,
        lastUsedAt: null,
      },
      { client: trx }
    )
    await recordChange(trx, {
      action: 'application_key.created',
      application,
      target: keyTarget(created),
      before: null,
      after: applicationKeyResource(created),
    })
    return created
  })
  logSecurityEvent('key_created', 'An application key was created', {
    application: appCode,
    keyId: key.id,
    keyName: name,
    prefix: key.prefix,
  })
  return { key, text }
}
