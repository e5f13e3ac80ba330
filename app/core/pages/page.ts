const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => ESCAPES[one])

/** @param content HTML */
export function page(title: string, content: string) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escapeHtml(title)}</title>
    <style>
      body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 10vh auto; padding: 0 1rem; color: #1a1a1a; background: #fff; overflow-wrap: anywhere; }
      button { font: inherit; padding: 0.6rem 1.2rem; border: 2px solid #1a1a1a; border-radius: 0.4rem; color: #fff; background: #1a1a1a; cursor: pointer; }
      button:focus-visible { outline: 3px solid #0b66c3; outline-offset: 3px; }
      a { color: #0b4f9e; }
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
