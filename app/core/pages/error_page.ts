import type { ProblemKind } from '#core/exceptions/problem'
import { escapeHtml, page } from '#core/pages/page'

export interface ProblemSource {
  method: string
  path: string
  summary: string
}

export function errorPage({ code, status, title, advice }: ProblemKind, sources: ProblemSource[]) {
  const items = sources.map(
    ({ method, path, summary }) =>
      `<li><code>${escapeHtml(`${method} ${path}`)}</code><br>${escapeHtml(summary)}</li>`
  )
  const when =
    items.length === 0
      ? '<p>Any request can return this problem.</p>'
      : `<p>These requests can return this problem:</p><ul>${items.join('')}</ul>`
  return page(
    code,
    `<p>Status ${status}. <strong>${formatText(title)}.</strong></p>
      <h2>What to do</h2>
      <p>${formatText(advice)}</p>
      <h2>When it occurs</h2>
      ${when}
      <p><a href="/docs">API reference</a></p>`
  )
}

/** Formats text in backticks as code. */
const formatText = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
