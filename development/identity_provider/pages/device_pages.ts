import type { KoaContextWithOIDC } from 'oidc-provider'
import { type Markup, html } from '#development/pages/html'
import { page } from '#development/pages/page'
import { PATHS } from '../paths.ts'
import { messagePage } from './message_page.ts'
import { renderPage } from './render_page.ts'

/** By the name of the library's error. */
const REASONS: Record<string, string> = {
  NoCodeError: 'Enter the code shown in the terminal.',
  NotFoundError: 'This code does not exist. Compare it with the one shown in the terminal.',
  ExpiredError: 'This code has expired. Start again in the terminal.',
  AlreadyUsedError: 'This code has already been used. Start again in the terminal.',
  AbortedError: 'Declined. Nobody was signed in.',
}

/** Asks for the code of a device. A code from the address is only filled in. */
export function deviceCodePage(
  ctx: KoaContextWithOIDC,
  _form: string,
  _out?: unknown,
  error?: unknown
) {
  const code = typeof ctx.query.code === 'string' ? ctx.query.code : ''
  const reason =
    error instanceof Error ? (REASONS[error.name] ?? 'Something went wrong.') : undefined
  const content = html`
    <h1>Connect a device</h1>
    <p class="soft">Development identity provider</p>
    ${reason ? html`<p class="alarm" role="alert" id="problem">${reason}</p>` : ''}
    <form method="post" action="${PATHS.code_verification}">
      ${formToken(ctx)}
      <label for="code">Code</label>
      <input
        id="code"
        name="user_code"
        value="${code}"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        autofocus
        ${reason ? html`aria-describedby="problem"` : ''}
      />
      <button class="primary" type="submit">Continue</button>
    </form>
  `
  renderPage(ctx, page(reason ? 'Problem: connect a device' : 'Connect a device', content))
}

/** Asks for confirmation, because someone else may have sent the address. */
export function deviceConfirmationPage(
  ctx: KoaContextWithOIDC,
  _form: string,
  { clientName, clientId }: NonNullable<KoaContextWithOIDC['oidc']['client']>,
  _device: unknown,
  code: string
) {
  const content = html`
    <h1>Is this your device?</h1>
    <p>${clientName ?? clientId} wants to sign in as you. It must show this code:</p>
    <p><code>${code}</code></p>
    <form method="post" action="${PATHS.code_verification}">
      ${formToken(ctx)}
      <input type="hidden" name="user_code" value="${code}" />
      <p><button class="primary" name="confirm" value="yes">Yes, continue</button></p>
      <button class="account" name="abort" value="yes">No, decline</button>
    </form>
  `
  renderPage(ctx, page('Is this your device?', content))
}

export function deviceConnectedPage(ctx: KoaContextWithOIDC) {
  renderPage(
    ctx,
    messagePage('Connected', 'You are signed in on your device. You can close this page.')
  )
}

function formToken({ oidc }: KoaContextWithOIDC): Markup {
  const { secret: value = '' } = (oidc.session?.state ?? {}) as { secret?: string }
  return html`<input type="hidden" name="xsrf" value="${value}" />`
}
