import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/** Clients that follow the change feed, in a process of their own. */

export interface Follow {
  kind: 'follow'
  url: string
  key: string
  count: number
}

const AT_A_TIME = 25
const requests: ClientRequest[] = []
let heartbeats = 0
let changes = 0

async function follow({ url, key, count }: Follow) {
  while (requests.length < count) {
    const opening = Array.from({ length: AT_A_TIME }, () => open(url, key))
    await Promise.all(opening)
  }
  process.send!({ kind: 'following', count: requests.length })
}

async function open(url: string, key: string) {
  const headers = { 'accept': 'text/event-stream', 'x-internal-api-key': key }
  const sending = request(`${url}/api/internal/changes`, { agent: false, headers })
  sending.on('error', () => {})
  requests.push(sending.end())
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`)
  response.setEncoding('utf8').on('data', (text: string) => {
    heartbeats += text.split('event: heartbeat').length - 1
    changes += text.split('event: access').length - 1
  })
}

process.on('message', (message: Follow | { kind: 'leave' | 'count' }) => {
  if (message.kind === 'follow') void follow(message)
  if (message.kind === 'count') process.send!({ kind: 'counted', heartbeats, changes })
  if (message.kind !== 'leave') return
  for (const one of requests.splice(0)) one.destroy()
  process.send!({ kind: 'left' })
})
process.once('disconnect', () => process.exit())
process.send!({ kind: 'ready' })
