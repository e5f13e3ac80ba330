import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { createBroadcast } from '#app/broadcasts/actions/create_broadcast'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { APPLICATION, TYPE, requestsFrom } from '../delivery/requests.ts'

const AUTHOR = { email: null, mayReachEverybody: true, mayReachOutsiders: true }
const MIB = 1_048_576
const [{ data, locale }] = requestsFrom(0, 1)
const message = { type: TYPE, data, locale }

/** `risen`: how much more memory the part used than was in use before, in MiB. */
export interface PartCost {
  rows: number
  ms: number
  risen: number
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

/** Writes down an audience of everybody. */
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
    while (await source.work(signal)) continue
    const { sent } = await Broadcast.findOrFail(id)
    return sent
  })
}

async function measured(work: () => Promise<number>): Promise<PartCost> {
  const before = process.memoryUsage.rss()
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 20)
  const start = performance.now()
  const rows = await work()
  const ms = performance.now() - start
  clearInterval(timer)
  return { rows, ms, risen: (Math.max(highest, process.memoryUsage.rss()) - before) / MIB }
}
