import { reachableHost } from '#core/network/loopback'
import { DEMO_APPLICATION, DEMO_PERMISSION } from '#development/demo'
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_PASSWORD } from '#development/identity_provider/main'
import {
  DEFAULT_FOLDER,
  DEVELOPMENT_CLIENT_ID,
  type DevelopmentSettings,
} from '#development/settings'

/** The text that `npm start` prints when everything is prepared. */
export function banner(
  { serviceUrl, issuer, mailbox, inboxPort, folder, superAdmins, host }: DevelopmentSettings,
  token: string
): string {
  const [, ...others] = DEVELOPMENT_ACCOUNTS
  const accounts = [
    ...superAdmins.map((email) => ({ email, description: 'Super admin' })),
    ...others.filter(({ email }) => !superAdmins.includes(email)),
  ].map(({ email, description }) => `    ${email}  ${description}`)
  const inFolder = folder === DEFAULT_FOLDER ? '' : `DEVELOPMENT_FOLDER='${folder}' `
  const body = JSON.stringify({ app: DEMO_APPLICATION, permission: DEMO_PERMISSION })
  return [
    '',
    `  Admin panel         ${serviceUrl}/panel`,
    `  API                 ${serviceUrl}/api`,
    `  Identity provider   ${issuer}   (development only)`,
    ...(mailbox
      ? [`  Mailbox             http://${mailbox.host}:${mailbox.pagePort}   (development only)`]
      : []),
    ...(inboxPort
      ? [`  Inbox in a page     http://${reachableHost(host)}:${inboxPort}   (development only)`]
      : []),
    `  Sign in for tokens  ${serviceUrl}/api/idp/login?client_id=${DEVELOPMENT_CLIENT_ID}`,
    '',
    `  Accounts, password "${DEVELOPMENT_PASSWORD}":`,
    ...accounts,
    '',
    `  May ${DEVELOPMENT_ACCOUNTS[2].email} read documents? Paste this:`,
    '',
    `curl -s ${serviceUrl}/api/profile/me/check -H 'content-type: application/json' -d '${body}' -H 'authorization: Bearer ${token}'`,
    '',
    `  Another token: ${inFolder}npm run -s token -- ${DEVELOPMENT_ACCOUNTS[2].email}`,
    '',
    '',
  ].join('\n')
}
