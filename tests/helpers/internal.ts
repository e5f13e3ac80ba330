import type { ApiClient } from '@japa/api-client'
import env from '#start/env'

/** A client with the internal key. */
export function anotherService(client: ApiClient) {
  const key = env.get('INTERNAL_API_KEY')!.split(',')[0]
  const send = async (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
    const request = client[method](path).header('x-internal-api-key', key)
    return body === undefined ? await request : await request.json(body)
  }
  return {
    get: (path: string) => send('get', path),
    post: (path: string, body?: object) => send('post', path, body),
    put: (path: string, body?: object) => send('put', path, body),
    delete: (path: string, body?: object) => send('delete', path, body),
  }
}
