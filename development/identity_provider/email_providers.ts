import { createHmac, randomBytes } from 'node:crypto'
import { readBody, sendJson } from '#development/http'
import { requireServiceAccount } from './service_account.ts'
import type { Handler } from './provider_context.ts'

interface EmailProvider {
  id: string
  endpoint: string
  description: string
  signingKey: string
  isActive: boolean
}

export const EMAIL_PROVIDERS_PATH = '/admin/v1/email'

const POST_WITHIN_MS = 5_000

const newKey = () => `whsec-${randomBytes(24).toString('base64url')}`

/** The registered e-mail providers, in memory. */
export class EmailProviders {
  #providers: EmailProvider[] = []
  #lastId = 770000000000009000n

  all() {
    return this.#providers.map(resource)
  }

  byId(id: string) {
    return this.#providers.find((provider) => provider.id === id)
  }

  add(endpoint: string, description: string) {
    const id = String(++this.#lastId)
    const provider = { id, endpoint, description, signingKey: newKey(), isActive: false }
    this.#providers.push(provider)
    return provider
  }

  activate(id: string) {
    for (const provider of this.#providers) provider.isActive = provider.id === id
  }

  remove(id: string) {
    this.#providers = this.#providers.filter((provider) => provider.id !== id)
  }

  /**
   * Posts an e-mail to the active provider, with the real signature and timeout.
   * @returns whether a provider accepted it
   */
  async post(message: object): Promise<boolean> {
    const active = this.#providers.find(({ isActive }) => isActive)
    if (!active) return false
    const body = JSON.stringify(message)
    const at = Math.floor(Date.now() / 1000)
    const digest = createHmac('sha256', active.signingKey).update(`${at}.${body}`).digest('hex')
    const signature = `t=${at},v1=${digest}`
    try {
      const response = await fetch(active.endpoint, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'zitadel-signature': signature },
        signal: AbortSignal.timeout(POST_WITHIN_MS),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
}

export const emailProviders: Handler = async ({ options, emails }, request, response) => {
  requireServiceAccount(request, options.serviceAccountToken)
  const [, id = '', action] = request
    .url!.split('?')[0]
    .slice(EMAIL_PROVIDERS_PATH.length)
    .split('/')
  const body = JSON.parse((await readBody(request)) || '{}')
  const missing = () => sendJson(response, 404, { code: 5, message: 'Not found', details: [] })
  if (id === '_search') return sendJson(response, 200, { result: emails.all() })
  if (id === 'http' && request.method === 'POST') {
    const added = emails.add(String(body.endpoint), String(body.description))
    return sendJson(response, 200, { id: added.id, signingKey: added.signingKey })
  }
  const provider = emails.byId(id === 'http' ? (action ?? '') : id)
  if (!provider) return missing()
  if (action === '_activate') emails.activate(provider.id)
  else if (request.method === 'DELETE') emails.remove(provider.id)
  else if (request.method === 'GET') return sendJson(response, 200, { config: resource(provider) })
  else if (request.method === 'PUT') {
    provider.endpoint = String(body.endpoint)
    if (body.expirationSigningKey === undefined) return sendJson(response, 200, {})
    provider.signingKey = newKey()
    return sendJson(response, 200, { signingKey: provider.signingKey })
  }
  sendJson(response, 200, {})
}

function resource({ id, isActive, description, endpoint, signingKey }: EmailProvider) {
  const state = isActive ? 'EMAIL_PROVIDER_ACTIVE' : 'EMAIL_PROVIDER_INACTIVE'
  return { id, state, description, http: { endpoint, signingKey } }
}
