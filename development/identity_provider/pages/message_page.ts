import { html } from '#development/pages/html'
import { type Page, page } from '#development/pages/page'

export function messagePage(title: string, text: string): Page {
  return page(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`
  )
}
