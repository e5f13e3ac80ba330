import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { Markup, html } from '#development/pages/html'
import { messagePage } from './message_page.ts'
import { renderPage } from './render_page.ts'
import { page } from '#development/pages/page'

export function errorPage(ctx: KoaContextWithOIDC, { error, error_description: reason }: ErrorOut) {
  renderPage(ctx, messagePage('Something went wrong', `${error}: ${reason ?? 'no reason given'}`))
}

/** @param form the library's form, to which this page adds a button */
export function signOutPage(ctx: KoaContextWithOIDC, form: string) {
  const { postLogoutRedirectUris = [] } = ctx.oidc.client ?? {}
  const content = html`
    <h1>Sign out</h1>
    <p>After signing out, you must sign in again.</p>
    ${new Markup(form)}
    <button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>
      Sign out
    </button>
  `
  const targets = new Set(postLogoutRedirectUris.map((uri) => new URL(uri).origin))
  renderPage(ctx, page('Sign out', content, { formTargets: [...targets] }))
}

export function signedOutPage(ctx: KoaContextWithOIDC) {
  renderPage(ctx, messagePage('Signed out', 'You are signed out.'))
}
