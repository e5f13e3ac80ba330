import { RawConnection, lastResponse } from '#tests/world/raw_connection'

export const APP = 'https://app.acme.example'
/** The service of the tests themselves. */
export const here = () => `http://127.0.0.1:${process.env.PORT}`

/** Sends headers verbatim, which `fetch` does not allow. */
export async function ask(
  url: string,
  {
    method = 'GET',
    path = '/api/profile/me',
    origin = APP,
    headers = {},
    body = '',
  }: {
    method?: string
    path?: string
    origin?: string
    headers?: Record<string, string>
    body?: string
  }
) {
  const connection = await RawConnection.to(url)
  const lines = Object.entries({ host: 'x', connection: 'close', origin, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`
  )
  connection.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return lastResponse(await connection.closed())
}

export const preflight = (url: string, path: string, origin = APP, method = 'PUT') =>
  ask(url, {
    method: 'OPTIONS',
    path,
    origin,
    headers: {
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })

export const allowedIn = ({ headers }: { headers: Record<string, string> }) =>
  headers['access-control-allow-origin']
