import type { Choice, GetToken, InboxItem, Preference, QuietHours, View } from '../types.ts'
import { AccessToken } from './access_token.ts'
import { RequestFailed, failureOf } from './request_failed.ts'

export interface Page {
  items: InboxItem[]
  /** The path of the next page; null after the last one. */
  next: string | null
}

const ME = '/api/profile/me'
const PREFERENCES = `${ME}/notifications`
const INBOX = `${PREFERENCES}/inbox`
const QUIET = `${ME}/quiet-hours`
const PUSH = `${ME}/push`
const TIMEOUT_MS = 30_000
const PAGE_ITEMS = 25
const FILTERS: Record<View, string> = {
  inbox: '',
  unread: '&unreadOnly=true',
  snoozed: '&snoozed=true',
  archived: '&archived=true',
}

/** The API as one user sees it. Work that began with it never continues as another user. */
export class Api {
  readonly #baseUrl: () => string
  readonly #token: AccessToken
  readonly #onProblem: (error: unknown) => void
  #isOver = false

  /** @param onProblem is called with each request that fails */
  constructor(baseUrl: () => string, getToken: GetToken, onProblem: (error: unknown) => void) {
    this.#baseUrl = baseUrl
    this.#token = new AccessToken(getToken)
    this.#onProblem = onProblem
  }

  /** Nothing more is sent, and answers that still arrive are refused. */
  end() {
    this.#isOver = true
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
    const answer = await this.#read<{ ticket: string }>(`${INBOX}/stream-ticket`, 'POST')
    const query = new URLSearchParams({ ticket: answer.ticket })
    if (lastEventId) query.set('lastEventId', lastEventId)
    return `${this.#baseUrl()}${INBOX}/stream?${query}`
  }

  /** The codes of the applications that the user has used. */
  async applications(): Promise<string[]> {
    const used = await this.#read<{ applicationCode: string }[]>(`${ME}/apps`)
    return used.map(({ applicationCode }) => applicationCode)
  }

  preferences(appCode: string) {
    return this.#read<Preference[]>(`${PREFERENCES}/${encodeURIComponent(appCode)}`)
  }

  async setPreference(id: number, choice: Choice) {
    await this.#send('PUT', `${PREFERENCES}/preferences/${id}`, choice)
  }

  quietHours() {
    return this.#read<QuietHours>(QUIET)
  }

  setQuietHours(hours: QuietHours) {
    return this.#send('PUT', QUIET, hours)
  }

  async vapidKey(): Promise<string> {
    return (await this.#read<{ vapidPublicKey: string }>(`${PUSH}/vapid-key`)).vapidPublicKey
  }

  /** The endpoints of the browsers that get the user's push messages. */
  async endpoints(): Promise<string[]> {
    const subscriptions = await this.#read<{ endpoint: string }[]>(`${PUSH}/subscriptions`)
    return subscriptions.map(({ endpoint }) => endpoint)
  }

  /** @param vapidPublicKey of the service, with which the browser has subscribed */
  subscribe({ endpoint, keys }: PushSubscriptionJSON, vapidPublicKey: string) {
    const subscription = { endpoint, keys }
    return this.#send('POST', `${PUSH}/subscribe`, { subscription, vapidPublicKey })
  }

  unsubscribe(endpoint: string) {
    return this.#send('POST', `${PUSH}/unsubscribe`, { endpoint })
  }

  /** What is in the envelope, of which there are two kinds. */
  async #read<Result>(path: string, method = 'GET'): Promise<Result> {
    const answer = await this.#send(method, path)
    const { response, data } = (await answer.json()) as { response?: Result; data?: Result }
    return (response ?? data)!
  }

  /** @throws RequestFailed, or what `getToken` throws */
  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    try {
      const token = await this.#token.get()
      let response = await this.#fetch(method, path, token, body)
      if (response.status === 401) {
        response = await this.#fetch(method, path, await this.#token.renew(token), body)
      }
      if (!response.ok) throw await failureOf(response)
      return response
    } catch (error) {
      if (!this.#isOver) this.#onProblem(error)
      throw error
    }
  }

  async #fetch(method: string, path: string, token: string, body?: unknown) {
    this.#requireUser()
    const response = await this.#request(method, path, token, body)
    this.#requireUser()
    return response
  }

  #requireUser() {
    if (this.#isOver) throw new RequestFailed(0, 'USER_CHANGED', 'Another user')
  }

  async #request(method: string, path: string, token: string, body?: unknown) {
    try {
      return await fetch(`${this.#baseUrl()}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: JSON.stringify(body),
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
