import { randomInt } from 'node:crypto'
import type { StoredUser } from './state.ts'

const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/**
 * The message about a forgotten password (zitadel.md#sample-message).
 *
 * @param page Where the user chooses a new password
 */
export function passwordMail({ userId, orgId, email, profile }: StoredUser, page: URL) {
  const { displayName = email, givenName, familyName } = profile
  const code = Array.from({ length: 6 }, () => CODE_LETTERS[randomInt(32)]).join('')
  const link = new URL(page)
  link.search = new URLSearchParams({ userID: userId, code, orgID: orgId }).toString()
  return {
    contextInfo: {
      eventType: 'user.human.password.code.added',
      provider: { id: '1', description: 'development' },
      recipientEmailAddress: email,
    },
    templateData: {
      title: 'Reset password',
      preHeader: 'Reset password',
      subject: 'Reset password',
      greeting: `Hello ${displayName},`,
      text: `Use the button below to reset your password. (Code ${code})`,
      url: link.href,
      buttonText: 'Reset password',
    },
    args: {
      userID: userId,
      orgID: orgId,
      code,
      displayName,
      firstName: givenName,
      lastName: familyName,
    },
  }
}
