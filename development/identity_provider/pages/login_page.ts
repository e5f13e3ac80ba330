import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_PASSWORD } from '../accounts.ts'
import { FORGOTTEN_PASSWORD_PATH } from '../paths.ts'
import { type Markup, html } from '#development/pages/html'
import { page } from '#development/pages/page'

interface LoginForm {
  email: string
  /** The error of the previous attempt. */
  message?: string
}

/** The browser can continue to these URIs. */
export function loginPage(redirectUris: string[], form: LoginForm) {
  const content = html`
    <h1>Sign in</h1>
    <p class="soft">Development identity provider</p>
    ${form.message ? html`<p class="alarm" role="alert" id="problem">${form.message}</p>` : ''}
    ${credentialsForm(form)}
    <h2 id="ready">Or continue as</h2>
    ${accountButtons()}
    <p class="soft small">
      Any other e-mail address signs in as a new plain user. The password of every account is
      <code>${DEVELOPMENT_PASSWORD}</code>.
    </p>
  `
  const title = form.message ? 'Problem: sign in' : 'Sign in'
  const formTargets = [...new Set(redirectUris.map((uri) => new URL(uri).origin))]
  return page(title, content, { formTargets })
}

function credentialsForm({ email, message }: LoginForm): Markup {
  const described = message ? html`aria-describedby="problem"` : ''
  return html`<form method="post">
    <label for="email">E-mail</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="username"
      required
      autofocus
      value="${email}"
      ${described}
    />
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      ${described}
    />
    <button class="primary" type="submit">Sign in</button>
    <p class="small"><a href="${FORGOTTEN_PASSWORD_PATH}">Forgot password</a></p>
  </form>`
}

function accountButtons(): Markup {
  const buttons = DEVELOPMENT_ACCOUNTS.map(
    ({ displayName, email, description }) =>
      html`<li>
        <button class="account" type="submit" name="email" value="${email}">
          <span><strong>${displayName}</strong> <span class="small">${email}</span></span>
          <span class="description">${description}</span>
        </button>
      </li>`
  )
  return html`<form method="post">
    <input type="hidden" name="password" value="${DEVELOPMENT_PASSWORD}" />
    <ul aria-labelledby="ready">
      ${buttons}
    </ul>
  </form>`
}
