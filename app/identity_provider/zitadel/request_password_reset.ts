import { UserNotFound } from '#app/profiles/exceptions'
import { callProvider } from '#app/identity_provider/zitadel/call_provider'
import { providerPath } from '#app/identity_provider/zitadel/zitadel_api'

const SEND_LINK = { sendLink: { notificationType: 'NOTIFICATION_TYPE_Email' } }

/**
 * Has the provider send a mail with a link to a new password (zitadel.md#resetting-a-password).
 * @throws UserNotFound if it does not have the account, and as `callProvider` does
 */
export async function requestPasswordReset(userId: string): Promise<void> {
  const detail =
    'The identity provider does not have your account, or the service account cannot see it'
  await callProvider({
    method: 'POST',
    path: providerPath`/v2/users/${userId}/password_reset`,
    body: SEND_LINK,
    permission: 'user.write',
    missing: () => new UserNotFound({ detail }),
  })
}
