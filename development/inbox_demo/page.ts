import type { DevelopmentAccount } from '#development/identity_provider/main'
import { html } from '#development/pages/html'

/** An application as others build it: on an origin of its own, with a strict policy. */
export function demoPage(serviceUrl: string, accounts: readonly DevelopmentAccount[]) {
  const options = accounts.map(
    ({ email, displayName }) => html`<option value="${email}">${displayName}</option>`
  )
  const { origin } = new URL(serviceUrl)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Inbox · Concierge development</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/page.css" />
        <script src="${origin}/concierge-inbox.js" defer></script>
        <script src="/page.js" type="module"></script>
      </head>
      <body>
        <header>
          <strong>Demo</strong>
          <label
            >Signed in as
            <select id="account">
              ${options}
            </select></label
          >
          <label>
            Language
            <select id="language">
              <option value="en">English</option>
              <option value="cs">Čeština</option>
            </select>
          </label>
          <concierge-inbox base-url="${origin}" theme="auto" applications="demo"></concierge-inbox>
        </header>
        <main>
          <h1>An inbox in your application</h1>
          <p>
            This page is on another origin than Concierge. Its bell is
            <code>&lt;concierge-inbox&gt;</code>.
          </p>
          <p><button id="send" type="button">Send me a message</button></p>
          <p role="status" id="result"></p>
        </main>
      </body>
    </html>`
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    "style-src 'self'",
    `connect-src 'self' ${origin}`,
    'img-src data: https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types concierge-inbox',
  ]
  return { html: page.text, policy: policy.join('; ') }
}

export const DEMO_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding: .75rem 1.25rem; border-bottom: 1px solid #8884; }
header strong { flex: 1; }
main { max-width: 40rem; margin: 2rem auto; padding: 0 1.25rem; }
button, select { font: inherit; padding: .375rem .75rem; }
`

export const DEMO_SCRIPT = `
const inbox = document.querySelector('concierge-inbox')
const account = document.querySelector('#account')
const language = document.querySelector('#language')
const result = document.querySelector('#result')

function signIn() {
  const email = account.value
  inbox.getToken = async () => {
    const response = await fetch('/token?email=' + encodeURIComponent(email))
    return response.text()
  }
}

account.addEventListener('change', signIn)
language.addEventListener('change', () => {
  document.documentElement.lang = language.value
})
inbox.addEventListener('notification', ({ detail }) => {
  result.textContent = 'Received: ' + detail.item.subject
})
document.querySelector('#send').addEventListener('click', async () => {
  const query = new URLSearchParams({ email: account.value })
  const response = await fetch('/send?' + query, { method: 'POST' })
  result.textContent = response.ok ? 'Sent' : 'Not sent: ' + response.status
})
signIn()
`
