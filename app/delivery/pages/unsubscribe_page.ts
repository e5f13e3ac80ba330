import type NotificationType from '#app/notifications/models/notification_type'
import { escapeHtml } from '#app/notifications/rendering/escape'

/** Asks before anything changes: mail scanners open every link they find. */
export function confirmPage(type: NotificationType): string {
  return page(
    'Unsubscribe',
    `<p>${escapeHtml(type.application.name)} sends you e-mails of the kind <strong>${escapeHtml(type.name)}</strong>. Do you want to stop them?</p>
    <form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click">
      <button type="submit">Stop these e-mails</button>
    </form>`
  )
}

export function donePage(type: NotificationType): string {
  return page(
    'You are unsubscribed',
    `<p role="status">${escapeHtml(type.application.name)} sends you no more e-mails of the kind <strong>${escapeHtml(type.name)}</strong>. You can switch them on again in your notification preferences.</p>`
  )
}

function page(title: string, content: string) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <style>
      body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 10vh auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
      button { font: inherit; padding: 0.6rem 1.2rem; border: 2px solid #1a1a1a; border-radius: 0.4rem; color: #fff; background: #1a1a1a; cursor: pointer; }
      button:focus-visible { outline: 3px solid #0b66c3; outline-offset: 3px; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`
}
