import type { ApiClient } from '@japa/api-client'
import { EventStream } from '#tests/helpers/event_stream'
import { INBOX } from '#tests/helpers/inbox'
import { signedIn } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

type Cleanup = (callback: () => void) => void

interface Options {
  url?: string
  lastEventId?: string
  query?: string
}

/** Follows someone's inbox with their token, from the first event on. */
export async function followInbox(
  email: string,
  cleanup: Cleanup,
  { url = serviceUrl(), lastEventId, query = '' }: Options = {}
): Promise<EventStream> {
  const headers: Record<string, string> = { authorization: `Bearer ${await issuer.token(email)}` }
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
  return openStream(`${url}${INBOX}/stream${query}`, headers, cleanup)
}

export async function openStream(url: string, headers: Record<string, string>, cleanup: Cleanup) {
  const stream = await EventStream.open(url, headers)
  cleanup(() => stream.close())
  if (stream.response.status === 200) {
    await stream.find('it is live', ({ event }) => event === 'unread-count')
  }
  return stream
}

export async function aTicket(client: ApiClient, email: string): Promise<string> {
  const response = await signedIn(client, email).post(`${INBOX}/stream-ticket`)
  response.assertStatus(201)
  return response.body().response.ticket
}

export const notificationsIn = ({ events }: EventStream) =>
  events.filter(({ event }) => event === 'notification').map(({ data }) => data.id as number)

/** Everything but heartbeats, as `name ids`. */
export const storyOf = ({ events }: EventStream) =>
  events.flatMap(({ event, data }) => {
    if (event === 'heartbeat') return []
    if (event === 'unread-count') return [`${event} ${data.count}`]
    return [`${event} ${String(data.ids ?? data.id ?? data.reason ?? '')}`.trim()]
  })

export const lastIdOf = ({ events }: EventStream) => events.findLast(({ id }) => id)!.id!
