import { randomInt } from 'node:crypto'
import { readForm } from '#development/http'
import { html } from '#development/pages/html'
import { page, sendPage } from '#development/pages/page'
import { DEVELOPMENT_ORGANISATION_ID } from './accounts.ts'
import { messagePage } from './pages/message_page.ts'
import { NEW_PASSWORD_PATH } from './paths.ts'
import type { Handler, World } from './world.ts'

/** Asks for an address (`GET`) and has the service mail a code to it (`POST`), as the real provider does. */
export const forgottenPassword: Handler = async (world, request, response) => {
  if (request.method !== 'POST') return sendPage(response, 200, form())
  const email = (await readForm(request)).get('email') ?? ''
  try {
    const isTaken = await world.emails.post(passwordMail(world, email))
    const text = 'A mail is on its way; the development mailbox shows it.'
    const problem = 'No service takes e-mails of this provider at the moment.'
    sendPage(response, 200, messagePage('Forgot password', isTaken ? text : problem))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    sendPage(response, 400, messagePage('Forgot password', 'This is not an e-mail address.'))
  }
}

export const newPassword: Handler = async (_world, _request, response) => {
  const text = 'Every account here keeps the same password, so there is nothing to do.'
  sendPage(response, 200, messagePage('New password', text))
}

/** See zitadel.md#sample-message. @throws TypeError when the text is no e-mail address */
function passwordMail({ directory, issuer }: World, text: string) {
  const { email, userId, displayName, givenName, familyName } = directory.byEmail(text)
  const code = Array.from(
    { length: 6 },
    () => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[randomInt(32)]
  ).join('')
  const link = new URL(NEW_PASSWORD_PATH, issuer)
  link.search = new URLSearchParams({
    userID: userId,
    code,
    orgID: DEVELOPMENT_ORGANISATION_ID,
  }).toString()
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
      orgID: DEVELOPMENT_ORGANISATION_ID,
      code,
      displayName,
      firstName: givenName,
      lastName: familyName,
    },
  }
}

function form() {
  const content = html`
    <h1>Forgot password</h1>
    <form method="post">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="username" required autofocus />
      <button class="primary" type="submit">Send a mail</button>
    </form>
  `
  return page('Forgot password', content)
}
