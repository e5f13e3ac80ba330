import { DateTime } from 'luxon'
import { recordDone } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { Caller } from '#app/auth/values/caller'
import { ProviderNotSetUp } from '#app/identity_provider/exceptions'
import { hookEndpoint } from '#app/identity_provider/email_provider/hook_endpoint'
import { readProviderStatus } from '#app/identity_provider/email_provider/read_provider_status'
import { requireSettings } from '#app/identity_provider/email_provider/set_up_provider'
import { requestPasswordReset } from '#app/identity_provider/zitadel/request_password_reset'
import { withLease } from '#core/database/leases/with_lease'

export interface RequestedTestMail {
  /** The address of the caller, to which the identity provider sends the mail. */
  email: string
  /** The entry of the mail in the message log is not older. */
  requestedAt: string
}

/**
 * See identity-provider.md#test-mail.
 * @throws ProviderNotSetUp, UserNotFound if the provider does not have the account, AlreadyAtWork,
 *   and as `setUpProvider` does
 */
export async function requestTestMail({ email, subject }: Caller): Promise<RequestedTestMail> {
  requireSettings()
  const { configured, providerId } = await readProviderStatus()
  if (!configured || providerId === null) throw new ProviderNotSetUp()
  const requestedAt = isoTimestamp(DateTime.utc())
  await withLease(`test-mail:${subject}`, () => requestPasswordReset(subject), { waitMs: 0 })
  await transaction((trx) =>
    recordDone(trx, {
      action: 'notification_provider.tested',
      application: null,
      target: { kind: 'notification_provider', id: providerId, label: hookEndpoint },
      before: null,
      after: null,
    })
  )
  return { email, requestedAt }
}
