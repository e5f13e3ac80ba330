import { DEVELOPMENT_PASSWORD } from './accounts.ts'
import { readForm } from '#development/http'
import { loginPage } from './pages/login_page.ts'
import { messagePage } from './pages/message_page.ts'
import { sendPage } from '#development/pages/page'
import type { Handler, ProviderContext } from './provider_context.ts'

/** GET shows the login page of an interaction; POST submits its form. */
export const login: Handler = async (world, request, response) => {
  const interaction = await world.provider.interactionDetails(request, response).catch(() => null)
  if (!interaction) {
    const text = 'This sign-in has expired. Go back to the application and try again.'
    return sendPage(response, 400, messagePage('Sign-in expired', text))
  }
  const finish = (result: object) => {
    return world.provider.interactionFinished(request, response, { consent: {}, ...result })
  }
  const { login_hint: hint, redirect_uri: redirectUri } = interaction.params
  const formTargets = [...world.options.redirectUris, redirectUri].filter((uri) => isText(uri))
  if (request.method === 'POST') {
    const attempt = checkCredentials(world, await readForm(request))
    if ('userId' in attempt) {
      return finish({ login: { accountId: attempt.userId }, select_account: {} })
    }
    return sendPage(response, attempt.status, loginPage(formTargets, attempt))
  }
  if (interaction.prompt.name === 'consent') return finish({})
  sendPage(response, 200, loginPage(formTargets, { email: isText(hint) ? hint : '' }))
}

const isText = (value: unknown) => typeof value === 'string'

type Attempt = { userId: string } | { status: number; email: string; message: string }

function checkCredentials({ directory }: ProviderContext, form: URLSearchParams): Attempt {
  const email = form.get('email') ?? ''
  if (form.get('password') !== DEVELOPMENT_PASSWORD) {
    const message = 'The password is wrong. All accounts share the one shown below.'
    return { status: 401, email, message }
  }
  try {
    const { userId, isActive } = directory.byEmail(email)
    if (isActive) return { userId }
    return { status: 403, email, message: 'This account is deactivated or locked.' }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { status: 400, email, message: 'Enter a valid e-mail address.' }
  }
}
