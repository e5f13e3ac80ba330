import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/** Clients that follow their inboxes, in a process of their own. */

export interface Follow {
  kind: 'follow'
  url: string
  tokens: string[]
}

const AT_A_TIME = 20
const requests: ClientRequest[] = []
let notifications = 0
let heartbeats = 0

async function follow({ url, tokens }: Follow) {
  const left = tokens.values()
  const opener = async () => {
    for (const token of left) await open(url, token)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, opener))
  process.send!({ kind: 'following', count: requests.length })
}

/** Resolves once the stream is live. */
async function open(url: string, token: string) {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const path = '/api/profile/me/notifications/inbox/stream'
  const sending = request(url + path, { agent: false, headers })
  sending.on('error', () => {})
  requests.push(sending.end())
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`)
  const live = Promise.withResolvers<void>()
  response.setEncoding('utf8').on('data', (text: string) => {
    notifications += text.split('event: notification').length - 1
    heartbeats += text.split('event: heartbeat').length - 1
    if (text.includes('event: unread-count')) live.resolve()
  })
  await live.promise
}

process.on('message', (message: Follow | { kind: 'leave' | 'count' }) => {
  if (message.kind === 'follow') void follow(message)
  if (message.kind === 'count') process.send!({ kind: 'counted', notifications, heartbeats })
  if (message.kind !== 'leave') return
  for (const one of requests.splice(0)) one.destroy()
  process.send!({ kind: 'left' })
})
process.once('disconnect', () => process.exit())
process.send!({ kind: 'ready' })
