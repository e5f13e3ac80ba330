import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { isLoopbackHost } from '#core/network/loopback'
import { RequestError, send } from '#development/http'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { close, listen } from '#development/listen'
import { DEMO_SCRIPT, DEMO_STYLE, demoPage } from './page.ts'

export interface InboxDemoOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  serviceUrl: string
  /** Of one of the development accounts. */
  tokenFor(email: string): Promise<string>
  /** With which it sends messages. */
  internalKey: string
  /** Application whose messages it sends. */
  appCode: string
}

export interface RunningInboxDemo {
  url: string
  close(): Promise<void>
}

/**
 * Starts a page with the inbox component, which signs in as a development account and sends
 * messages.
 * @throws Error that names the port if it is in use
 */
export async function startInboxDemo(options: InboxDemoOptions): Promise<RunningInboxDemo> {
  const { host } = options
  const server = createServer((request, response) => {
    respond(options, request, response).catch((error: unknown) => {
      const status = error instanceof RequestError ? error.status : 500
      send(response, status, String(error), { 'content-type': 'text/plain' })
    })
  })
  const port = await listen(server, { host, port: options.port }, 'inbox page')
  return { url: `http://${host}:${port}`, close: () => close(server) }
}

async function respond(
  options: InboxDemoOptions,
  request: IncomingMessage,
  response: ServerResponse
) {
  const { pathname, searchParams } = new URL(request.url!, 'http://demo')
  const type = (name: string) => ({ 'content-type': `${name}; charset=utf-8` })
  switch (`${request.method} ${pathname}`) {
    case 'GET /': {
      const { html, policy } = demoPage(options.serviceUrl, DEVELOPMENT_ACCOUNTS)
      const headers = { ...type('text/html'), 'content-security-policy': policy }
      return send(response, 200, html, headers)
    }
    case 'GET /page.js':
      return send(response, 200, DEMO_SCRIPT, type('text/javascript'))
    case 'GET /page.css':
      return send(response, 200, DEMO_STYLE, type('text/css'))
    case 'GET /token':
      requireOwnPage(request)
      return send(
        response,
        200,
        await options.tokenFor(accountOf(searchParams)),
        type('text/plain')
      )
    case 'POST /send':
      requireOwnPage(request)
      return send(response, await sendMessage(options, accountOf(searchParams)), '', {})
  }
  throw new RequestError(404, 'Page not found')
}

async function sendMessage({ serviceUrl, internalKey, appCode }: InboxDemoOptions, email: string) {
  const time = new Date().toISOString().slice(11, 19)
  const { status } = await fetch(`${serviceUrl}/api/internal/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-api-key': internalKey },
    body: JSON.stringify({
      recipientEmail: email,
      appCode,
      type: 'generic',
      data: {
        subject: `Your report of ${time} is ready`,
        body: 'It has 12 pages.',
        url: `${serviceUrl}/docs`,
      },
    }),
  })
  return status
}

/** Other sites must get no tokens, not even under a name that leads here. */
function requireOwnPage({ headers }: IncomingMessage) {
  const isHere =
    URL.canParse(`http://${headers.host}`) &&
    isLoopbackHost(new URL(`http://${headers.host}`).hostname)
  if (headers['sec-fetch-site'] !== 'same-origin' || !isHere) {
    throw new RequestError(403, 'Only the page of the demo can do that')
  }
}

function accountOf(query: URLSearchParams) {
  const account = DEVELOPMENT_ACCOUNTS.find(({ email }) => email === query.get('email'))
  if (!account) throw new RequestError(404, 'Account not found')
  return account.email
}
