import {
  ServiceAccountLacksPermission,
  ServiceAccountNotConfigured,
} from '#app/identity_provider/exceptions'
import { callProvider } from '#app/identity_provider/zitadel/call_provider'
import { Missing } from '#app/identity_provider/zitadel/null_on_error'
import { providerPath } from '#app/identity_provider/zitadel/zitadel_api'

/** `changed` if the account has the status now; else why nothing was changed at the provider. */
export type AccountChange =
  'changed' | 'not_bound' | 'not_proved' | 'not_found' | 'not_configured' | 'not_permitted'

export interface AccountStatusResult {
  identityProvider: AccountChange
  /** Whether the provider had to change anything */
  hasChanged: boolean
}

/**
 * An account that already has the status counts as changed. A reactivation unlocks it, too.
 * @throws as `callProvider` does, except if the service account is missing or lacks the permission
 */
export async function changeAccountStatus(
  userId: string,
  active: boolean
): Promise<AccountStatusResult> {
  const call = { method: 'POST', body: {}, permission: 'user.write' } as const
  const missing = () => new Missing()
  const paths = active
    ? [providerPath`/v2/users/${userId}/reactivate`, providerPath`/v2/users/${userId}/unlock`]
    : [providerPath`/v2/users/${userId}/deactivate`]
  let hasChanged = false
  try {
    for (const path of paths) {
      const response = await callProvider({ ...call, path, missing })
      hasChanged ||= response !== null
    }
    return { identityProvider: 'changed', hasChanged }
  } catch (error) {
    if (error instanceof Missing) return { identityProvider: 'not_found', hasChanged }
    if (error instanceof ServiceAccountNotConfigured) {
      return { identityProvider: 'not_configured', hasChanged }
    }
    if (error instanceof ServiceAccountLacksPermission) {
      return { identityProvider: 'not_permitted', hasChanged }
    }
    throw error
  }
}
