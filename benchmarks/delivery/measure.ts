import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { backendsOf } from '../world/postgres_cpu.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { nextMessage } from '../world/processes.ts'
import { READER } from './inbox_rows.ts'
import { BULK, requestsFrom } from './requests.ts'
import type { Order as PlainOrder } from './servers/plain.ts'
import type { Taken } from '../world/servers/sink.ts'
import { INTERNAL_KEY, type Service, type World } from './world.ts'

/** CPU time per operation in microseconds, of the process and of its database's processes. */
export interface Cost {
  own: number
  database: number
}

const SINGLES_AT_A_TIME = 10
const PAGE = 40

let number = 0

/** @returns the number of operations `work` did, with what each cost these processes */
async function costOf(child: ChildProcess, databaseUrl: string | undefined, work: Work) {
  const backends = await cpuOfBackends(databaseUrl)
  const own = cpuOf([child.pid!])
  const done = await work()
  const ownAfter = cpuOf([child.pid!])
  let database = 0
  for (const [pid, cpu] of await cpuOfBackends(databaseUrl))
    database += cpu - (backends.get(pid) ?? 0)
  return { own: (ownAfter - own) / done, database: database / done }
}

/** Connections come and go with the load, and their processes with them. */
async function cpuOfBackends(databaseUrl: string | undefined) {
  const pids = (databaseUrl && (await backendsOf(databaseUrl))) || []
  const alive = pids.filter((pid) => existsSync(`/proc/${pid}/stat`))
  return new Map(alive.map((pid) => [pid, cpuOf([pid])]))
}

type Work = () => Promise<number>

/** Mails through plain nodemailer, `batches` times a hundred. */
export function costOfPlain({ plain, sink }: World, batches: number) {
  return costOf(plain, undefined, () =>
    allArriving(sink, batches * BULK, async () => {
      const sent = nextMessage(plain, 'sent')
      plain.send({ kind: 'send', batches } satisfies PlainOrder)
      await sent
    })
  )
}

/** The same through the API, a hundred in one request. */
export function costOfBulks({ sink }: World, service: Service, batches: number) {
  return costOf(service.child, service.databaseUrl, () =>
    allArriving(sink, batches * BULK, async () => {
      for (let batch = 0; batch < batches; batch++) {
        const notifications = requestsFrom((number += BULK), BULK)
        requireSent(await post(service, '/bulk', { notifications }))
      }
    })
  )
}

/** The same through the API, one in each request. */
export function costOfSingles({ sink }: Pick<World, 'sink'>, service: Service, count: number) {
  return costOf(service.child, service.databaseUrl, () =>
    allArriving(sink, count, async () => {
      const left = requestsFrom((number += count), count).values()
      const sender = async () => {
        for (const request of left) requireSent([await post(service, '', request)])
      }
      await Promise.all(Array.from({ length: SINGLES_AT_A_TIME }, sender))
    })
  )
}

/** One page of the reader's inbox, `count` times, one after another. */
export function costOfInbox(service: Service, token: string, path: string, count: number) {
  return costOf(service.child, service.databaseUrl, async () => {
    for (let turn = 0; turn < count; turn++) await inboxPage(service, token, path)
    return count
  })
}

export const FIRST_PAGE = `/api/profile/me/notifications/inbox?limit=${PAGE}`

/** The page that begins after the reader's first `pages` pages of 200. */
export async function deepPage(service: Service, token: string, pages: number) {
  let path = '/api/profile/me/notifications/inbox?limit=200'
  for (let page = 0; page < pages; page++) path = (await inboxPage(service, token, path, 200))!
  return path.replace('limit=200', `limit=${PAGE}`)
}

async function inboxPage({ url }: Service, token: string, path: string, expected = PAGE) {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
  const { response: items } = (await response.json()) as { response: unknown[] }
  if (items.length !== expected) throw new Error(`A page of ${READER} has ${items.length} items`)
  return /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1]
}

async function post({ url }: Service, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/api/internal/notifications${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-api-key': INTERNAL_KEY },
    body: JSON.stringify(body),
  })
  const result = (await response.json()) as { data: unknown }
  if (!response.ok) throw new Error(`A send got ${JSON.stringify(result)}`)
  return result.data
}

function requireSent(results: unknown) {
  for (const result of results as { status: string }[]) {
    if (result.status !== 'sent') throw new Error(`Not sent: ${JSON.stringify(result)}`)
  }
}

/** Sizes of mails by who sent them, to show that all send the same. */
export const sizes: number[] = []

/** @throws Error unless exactly this many signed mails arrive; any other rate is worthless */
async function allArriving(sink: ChildProcess, count: number, send: () => Promise<void>) {
  await takenBy(sink)
  await send()
  const { mails, signed, bytes } = await takenBy(sink)
  if (mails !== count || signed !== count) {
    throw new Error(`${mails} mails arrived, ${signed} signed, instead of ${count}`)
  }
  sizes.push(Math.round(bytes / mails))
  return count
}

async function takenBy(sink: ChildProcess) {
  const message = nextMessage<{ taken: Taken }>(sink, 'taken')
  sink.send('take')
  return (await message).taken
}
