import { readFileSync } from 'node:fs'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { createBroadcast } from '#app/broadcasts/actions/create_broadcast'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { APPLICATION, TYPE, requestsFrom } from '../delivery/requests.ts'

const AUTHOR = { email: null, mayReachEveryone: true, mayReachOutsiders: true }
const [{ data, locale }] = requestsFrom(0, 1)
const message = { type: TYPE, data, locale }

export interface PartCost {
  rows: number
  ms: number
  /** How much more memory the process had at its highest than before */
  risen: Memory
}

/** In MiB. */
export interface Memory {
  own: number
  /** Pages of files, which the system takes back when it needs them */
  mapped: number
}

const FILLED_AT_A_TIME = 100_000

/** Inserts this many people in the database itself. */
export async function fillUsers(people: number) {
  const now = new Date().toISOString()
  for (let first = 1; first <= people; first += FILLED_AT_A_TIME) {
    const last = Math.min(people, first + FILLED_AT_A_TIME - 1)
    const numbers = usesPostgres()
      ? `generate_series(${first}, ${last}) as numbers(n)`
      : `(with recursive numbers(n) as (select ${first} union all select n + 1 from numbers where n < ${last}) select n from numbers)`
    await db.rawQuery(
      `insert into users (email, active, theme, created_at, updated_at)
       select 'member-' || n || '@acme.example', true, 'system', '${now}', '${now}' from ${numbers}`
    )
  }
}

let broadcastId = 0

/** Writes down an audience of everyone. */
export async function expandAll(): Promise<PartCost> {
  const { id } = await createBroadcast(
    APPLICATION,
    { ...message, audience: { kind: 'all' } },
    AUTHOR
  )
  broadcastId = id
  return measured(async () => {
    while (await expandAudience(id)) continue
    return (await Broadcast.findOrFail(id)).total
  })
}

/** Claims recipients of that audience for five seconds, in batches. */
export async function claimAll(): Promise<PartCost> {
  const cost = await measured(async () => {
    const until = performance.now() + 5_000
    let claimed = 0
    while (performance.now() < until) {
      const rows = await claimRecipients(broadcastId, null)
      if (rows.length === 0) break
      claimed += rows.length
    }
    return claimed
  })
  await Broadcast.query().where('id', broadcastId).update({ status: 'cancelled' })
  return cost
}

/** Sends to a list of people until all have it. */
export async function sendAll(people: number): Promise<PartCost> {
  const emails = Array.from({ length: people }, (_, number) => `person-${number}@acme.example`)
  const audience = { kind: 'emails' as const, emails }
  const { id } = await createBroadcast(APPLICATION, { ...message, audience }, AUTHOR)
  const source = new BroadcastDelivery()
  const { signal } = new AbortController()
  return measured(async () => {
    while (await source.work(signal)) await source.finish()
    const { sent } = await Broadcast.findOrFail(id)
    return sent
  })
}

async function measured(work: () => Promise<number>): Promise<PartCost> {
  const before = residentMemory()
  const highest = { ...before }
  const look = () => {
    const { own, mapped } = residentMemory()
    highest.own = Math.max(highest.own, own)
    highest.mapped = Math.max(highest.mapped, mapped)
  }
  const timer = setInterval(look, 20)
  const start = performance.now()
  const rows = await work()
  const ms = performance.now() - start
  clearInterval(timer)
  look()
  const risen = { own: highest.own - before.own, mapped: highest.mapped - before.mapped }
  return { rows, ms, risen }
}

function residentMemory(): Memory {
  const status = readFileSync('/proc/self/status', 'utf8')
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1_024
  return { own: read('RssAnon'), mapped: read('RssFile') }
}
