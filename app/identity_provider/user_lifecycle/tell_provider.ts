import type { Change } from '#core/audit/change'
import { userTarget } from '#core/audit/user_target'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import {
  type AccountChange,
  type AccountStatusResult,
  changeAccountStatus,
} from '#app/identity_provider/zitadel/change_account_status'

/**
 * Deactivates or reactivates the account of a user at the identity provider.
 * @param account null if none uses the record
 * @throws UpstreamUnreachable if the provider could not be updated
 */
export async function tellProvider(
  account: string | null,
  active: boolean
): Promise<AccountStatusResult> {
  if (account === null) return unchanged('not_bound')
  try {
    return await changeAccountStatus(account, active)
  } catch (error) {
    const { details } = error as { details?: { reason?: unknown } }
    throw new UpstreamUnreachable({
      detail: active
        ? 'The identity provider did not reactivate the account, so the status of the user did not change here'
        : 'The user is inactive here, but the identity provider did not deactivate the account',
      details: { reason: details?.reason ?? 'unknown', deactivated: !active },
      cause: error,
    })
  }
}

export const unchanged = (identityProvider: AccountChange): AccountStatusResult => ({
  identityProvider,
  hasChanged: false,
})

/**
 * A change at the provider that no entry about the user here shows.
 * @param now what the provider shows; `unconfirmed` if its response was lost
 */
export const accountStatusChange = (
  email: string,
  active: boolean,
  now: boolean | 'unconfirmed' = active
): Change => ({
  action: 'user.account_status_changed',
  application: null,
  target: userTarget(email),
  before: { accountActive: !active },
  after: { accountActive: now },
  email,
})
