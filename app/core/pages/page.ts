const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => ESCAPES[one])

/** @param content HTML */
export function page(title: string, content: string, language = 'en') {
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; --ink: #1a1a1a; --ground: #fff; --link: #0b4f9e; --focus: #0b66c3; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #eceef4; --ground: #14171e; --link: #a5b0ff; --focus: #a5b0ff; }
      }
      body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 10vh auto; padding: 0 1rem; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
      button { font: inherit; padding: 0.6rem 1.2rem; border: 2px solid var(--ink); border-radius: 0.4rem; color: var(--ground); background: var(--ink); cursor: pointer; }
      button:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
      a { color: var(--link); }
    </style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
      ${content}
    </main>
  </body>
</html>
`
}
