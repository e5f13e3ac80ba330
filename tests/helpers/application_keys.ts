import type { ApiClient } from '@japa/api-client'
import type { DateTime } from 'luxon'
import { createKey } from '#app/applications/actions/create_key'
import { uniqueEmail } from '#tests/helpers/people'

type Method = 'get' | 'post' | 'put' | 'delete'

/** A client with an internal key, of the platform or an application. */
export function serverWith(client: ApiClient, key: string, base = '') {
  const send = (
    method: Method,
    path: string,
    body?: object,
    headers: Record<string, string> = {}
  ) => {
    const request = client[method](`${base}/api/internal${path}`).headers(headers)
    request.header('x-internal-api-key', key)
    return body === undefined ? request.send() : request.json(body).send()
  }
  return {
    get: (path: string) => send('get', path),
    post: (path: string, body: object, headers?: Record<string, string>) =>
      send('post', path, body, headers),
    put: (path: string, body: object) => send('put', path, body),
    delete: (path: string) => send('delete', path),
  }
}

export async function aKeyOf({ code }: { code: string }, expiresAt?: DateTime) {
  const { key, text } = await createKey(code, { name: 'Server', expiresAt })
  return { id: key.id, text }
}

/** The body of a send with the type that every application has. */
export const aMessage = (appCode: string, recipientEmail = uniqueEmail()) => ({
  recipientEmail,
  appCode,
  type: 'generic',
  data: { subject: 'Hello', body: 'There' },
})
