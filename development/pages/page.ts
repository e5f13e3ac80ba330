import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { send } from '#development/http'
import { Markup, html } from './html.ts'
import { STYLE } from './style.ts'

export interface Page {
  html: string
  headers: Record<string, string>
}

// Kept out of the template, because the digest is of the exact text and a formatter would indent
// it.
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`)
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Browsers also apply `form-action` to redirects, so it must include the targets of a login. */
const LOOPBACK_SITES = 'http://127.0.0.1:* http://localhost:*'

export interface PageOptions {
  /** More origins that a form may lead to. */
  formTargets?: string[]
  wide?: boolean
}

export function page(title: string, content: Markup, options: PageOptions = {}): Page {
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Concierge development</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main class="${options.wide ? 'wide' : 'narrow'}">${content}</main>
      </body>
    </html>`
  return { html: markup.text, headers: pageHeaders(options.formTargets ?? []) }
}

export function sendPage(response: ServerResponse, status: number, { html: body, headers }: Page) {
  send(response, status, body, headers)
}

function pageHeaders(formTargets: string[]) {
  // A policy cannot name IPv6 addresses.
  const targets = formTargets.filter((origin) => !origin.includes('['))
  const policy = [
    "default-src 'none'",
    'img-src data:',
    "frame-src 'self'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self' ${[LOOPBACK_SITES, ...targets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
