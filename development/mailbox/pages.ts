import { html } from '#development/pages/html'
import { page } from '#development/pages/page'
import type { ReceivedMail } from './received_mail.ts'

const FRAME_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:"

export function listPage(mails: readonly ReceivedMail[]) {
  const rows = mails.map(
    ({ id, subject, to, receivedAt }) =>
      html`<tr>
        <td><a href="/mails/${id}">${subject || '(no subject)'}</a></td>
        <td>${to}</td>
        <td class="soft small">${receivedAt}</td>
      </tr>`
  )
  const list = html`<table>
    <thead>
      <tr>
        <th scope="col">Subject</th>
        <th scope="col">To</th>
        <th scope="col">Received</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
  const content = html`
    <h1>Development mailbox</h1>
    <p class="soft">All e-mails arrive here. Reload the page to see new ones.</p>
    ${mails.length > 0 ? list : html`<p>No e-mails yet.</p>`}
  `
  return page('Mailbox', content, { wide: true })
}

export function mailPage(mail: ReceivedMail) {
  const content = html`
    <p><a href="/">All e-mails</a></p>
    <h1>${mail.subject || '(no subject)'}</h1>
    <p class="soft">From ${mail.from} to ${mail.to}, ${mail.receivedAt}</p>
    <h2>HTML</h2>
    ${
      mail.html === null
        ? html`<p>None.</p>`
        : html`<iframe src="/mails/${mail.id}/html" title="HTML version" sandbox></iframe>`
    }
    <h2>Text</h2>
    <pre>${mail.text ?? 'None.'}</pre>
    <h2>Headers</h2>
    <pre>${mail.headers}</pre>
  `
  return page(mail.subject || 'Mail', content, { wide: true })
}

/** Allows no scripts, and nothing but images from elsewhere. */
export function mailFrame(mail: ReceivedMail) {
  return {
    html: mail.html ?? '',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${FRAME_POLICY}; sandbox; frame-ancestors 'self'`,
      'x-content-type-options': 'nosniff',
    },
  }
}
