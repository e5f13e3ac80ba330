import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_PASSWORD } from '../accounts.ts'
import { PATHS } from '../paths.ts'
import type { ProviderContext } from '../provider_context.ts'
import { html } from '#development/pages/html'
import { page } from '#development/pages/page'

export function overviewPage({ issuer, directory }: ProviderContext) {
  const accounts = DEVELOPMENT_ACCOUNTS.map(({ userId }) => directory.byId(userId)!)
  const rows = accounts.map(
    ({ displayName, email, description }) =>
      html`<li class="account">
        <span><strong>${displayName}</strong> <span class="small">${email}</span></span>
        <span class="description">${description}</span>
      </li>`
  )
  const content = html`
    <h1>Development identity provider</h1>
    <p class="soft">Issuer <code>${issuer}</code></p>
    <h2>Ready-made accounts</h2>
    <ul>
      ${rows}
    </ul>
    <p>
      The password of every account is <code>${DEVELOPMENT_PASSWORD}</code>. Any other e-mail
      address signs in as a new plain user. To change a name, use the profile API of the service.
    </p>
    <p>
      <a href="/.well-known/openid-configuration">Discovery document</a> ·
      <a href="${PATHS.end_session}">Sign out</a>
    </p>
  `
  return page('Overview', content)
}
