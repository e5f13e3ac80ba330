import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { Markup, html } from '#development/pages/html'
import { messagePage } from './message_page.ts'
import { show } from './show.ts'
import { page } from '#development/pages/page'

/** Shown when a request of the browser cannot be served. */
export function errorPage(ctx: KoaContextWithOIDC, { error, error_description: reason }: ErrorOut) {
  show(ctx, messagePage('This did not work', `${error}: ${reason ?? 'no reason given'}`))
}

/** @param form the library's own form, which this page completes with a button */
export function signOutPage(ctx: KoaContextWithOIDC, form: string) {
  const { postLogoutRedirectUris = [] } = ctx.oidc.client ?? {}
  const content = html`
    <h1>Sign out</h1>
    <p>You leave the development identity provider, so that the next sign-in asks who you are.</p>
    ${new Markup(form)}
    <button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>
      Sign out
    </button>
  `
  const targets = new Set(postLogoutRedirectUris.map((uri) => new URL(uri).origin))
  show(ctx, page('Sign out', content, { formTargets: [...targets] }))
}

export function signedOutPage(ctx: KoaContextWithOIDC) {
  show(ctx, messagePage('Signed out', 'The next sign-in asks who you are.'))
}
