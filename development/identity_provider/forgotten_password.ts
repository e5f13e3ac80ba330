import { readForm } from '#development/http'
import { html } from '#development/pages/html'
import { page, sendPage } from '#development/pages/page'
import { passwordMail } from './api/password_mail.ts'
import { messagePage } from './pages/message_page.ts'
import { NEW_PASSWORD_PATH } from './paths.ts'
import type { Handler, ProviderContext } from './provider_context.ts'
import { sendMail } from './send_mail.ts'

/** GET shows a form for an address; POST has the service send a code to it. */
export const forgottenPassword: Handler = async (world, request, response) => {
  if (request.method !== 'POST') return sendPage(response, 200, form())
  const email = (await readForm(request)).get('email') ?? ''
  try {
    const isAccepted = await sendMail(world.file.read(), mailTo(world, email))
    const text = 'An e-mail with a code was sent to the development mailbox.'
    const problem =
      'The e-mail could not be delivered: no service accepts e-mails of this provider.'
    sendPage(response, 200, messagePage('Forgot password', isAccepted ? text : problem))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    sendPage(response, 400, messagePage('Forgot password', 'Enter a valid e-mail address.'))
  }
}

export const newPasswordPage: Handler = async (_world, _request, response) => {
  const text = 'All development accounts share one password, so it cannot be changed.'
  sendPage(response, 200, messagePage('New password', text))
}

/** @throws TypeError if the text is not an e-mail address */
function mailTo({ directory, file, issuer }: ProviderContext, text: string) {
  const { userId } = directory.byEmail(text)
  const user = file.read().users.get(userId)!
  return passwordMail(user, new URL(NEW_PASSWORD_PATH, issuer))
}

function form() {
  const content = html`
    <h1>Forgot password</h1>
    <form method="post">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="username" required autofocus />
      <button class="primary" type="submit">Send e-mail</button>
    </form>
  `
  return page('Forgot password', content)
}
