import type { InboxItem, Preference, View } from '../types.ts'
import type { AccessToken } from './access_token.ts'
import { RequestFailed, failureOf } from './request_failed.ts'

export interface Page {
  items: InboxItem[]
  /** The path of the next page; null after the last one. */
  next: string | null
}

const INBOX = '/api/profile/me/notifications/inbox'
const PREFERENCES = '/api/profile/me/notifications'
const PUSH = '/api/profile/me/push'
const TIMEOUT_MS = 30_000
const PAGE_ITEMS = 25
const FILTERS: Record<View, string> = {
  inbox: '',
  unread: '&unreadOnly=true',
  snoozed: '&snoozed=true',
  archived: '&archived=true',
}

export class Api {
  readonly #baseUrl: () => string
  readonly #token: AccessToken

  constructor(baseUrl: () => string, token: AccessToken) {
    this.#baseUrl = baseUrl
    this.#token = token
  }

  async page(view: View, next?: string): Promise<Page> {
    const response = await this.#send('GET', next ?? `${INBOX}?limit=${PAGE_ITEMS}${FILTERS[view]}`)
    const { response: items } = (await response.json()) as { response: InboxItem[] }
    return { items, next: nextPage(response.headers.get('link')) }
  }

  async unreadCount(): Promise<number> {
    return (await this.#read<{ count: number }>(`${INBOX}/unread-count`)).count
  }

  change(id: number, change: 'read' | 'unread' | 'archive' | 'unarchive') {
    return this.#send('PATCH', `${INBOX}/${id}/${change}`)
  }

  snooze(id: number, until: Date | null) {
    return this.#send('PATCH', `${INBOX}/${id}/snooze`, { until })
  }

  readAll() {
    return this.#send('POST', `${INBOX}/read-all`, {})
  }

  /** The address of a stream, which works once. */
  async streamUrl(lastEventId: string): Promise<string> {
    const response = await this.#send('POST', `${INBOX}/stream-ticket`, {})
    const { response: answer } = (await response.json()) as { response: { ticket: string } }
    const query = new URLSearchParams({ ticket: answer.ticket })
    if (lastEventId) query.set('lastEventId', lastEventId)
    return `${this.#baseUrl()}${INBOX}/stream?${query}`
  }

  /** The codes of the applications that the user has used. */
  async applications(): Promise<string[]> {
    const response = await this.#send('GET', '/api/profile/me/apps')
    const { data } = (await response.json()) as { data: { appCode: string }[] }
    return data.map(({ appCode }) => appCode)
  }

  preferences(appCode: string) {
    return this.#read<Preference[]>(`${PREFERENCES}/${encodeURIComponent(appCode)}`)
  }

  async setPreference(id: number, switches: { email?: boolean; push?: boolean }) {
    await this.#send('PUT', `${PREFERENCES}/preferences/${id}`, switches)
  }

  async vapidKey(): Promise<string> {
    const response = await this.#send('GET', `${PUSH}/vapid-key`)
    return ((await response.json()) as { data: { vapidPublicKey: string } }).data.vapidPublicKey
  }

  subscribe(subscription: PushSubscriptionJSON) {
    const { endpoint, keys } = subscription
    return this.#send('POST', `${PUSH}/subscribe`, { subscription: { endpoint, keys } })
  }

  unsubscribe(endpoint: string) {
    return this.#send('POST', `${PUSH}/unsubscribe`, { endpoint })
  }

  async #read<Result>(path: string): Promise<Result> {
    const response = await this.#send('GET', path)
    return ((await response.json()) as { response: Result }).response
  }

  /** @throws RequestFailed, or what `getToken` throws */
  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const token = await this.#token.get()
    let response = await this.#fetch(method, path, token, body)
    if (response.status === 401) {
      const renewed = await this.#token.renew(token)
      response = await this.#fetch(method, path, renewed, body)
    }
    if (!response.ok) throw await failureOf(response)
    return response
  }

  async #fetch(method: string, path: string, token: string, body?: unknown) {
    try {
      return await fetch(`${this.#baseUrl()}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (error) {
      throw new RequestFailed(0, 'UNREACHABLE', String(error))
    }
  }
}

const nextPage = (link: string | null) => /<([^>]*)>; *rel="next"/.exec(link ?? '')?.[1] ?? null
