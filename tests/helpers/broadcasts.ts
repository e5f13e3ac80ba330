import db from '@adonisjs/lucid/services/db'
import type Application from '#app/applications/models/application'
import { createBroadcast } from '#app/broadcasts/actions/create_broadcast'
import { cancelBroadcast } from '#app/broadcasts/actions/cancel_broadcast'
import Broadcast from '#app/broadcasts/models/broadcast'
import type { BroadcastRequest } from '#app/broadcasts/values/broadcast_request'
import type { BroadcastStatus } from '#app/broadcasts/values/broadcast_status'
import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/background/broadcast_expansion'
import { StoppedBroadcasts } from '#app/broadcasts/background/stopped_broadcasts'
import { BackgroundWorker } from '#core/background/background_worker'
import ApplicationPreference from '#app/profiles/models/application_preference'
import User from '#app/profiles/models/user'
import { serviceUrl } from '#tests/helpers/send'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { issuer } from '#tests/world/prepare'

export const TEXT = { subject: 'News', body: 'There is something new' }

export const pathOf = (application: Application, rest: string | number = '') =>
  `/api/admin/notifications/broadcast/${application.code}${rest === '' ? '' : `/${rest}`}`

/** Unique addresses. */
export function uniqueEmails(count: number): string[] {
  const name = uniqueCode('reader')
  return Array.from({ length: count }, (_, index) => `${name}-${index}@tests.example`)
}

/** A broadcast of the type `generic` to a list, unless the fields say otherwise. */
export function aBroadcast(application: Application, fields: Partial<BroadcastRequest> = {}) {
  const audience = { kind: 'emails' as const, emails: [uniqueEmail()] }
  const wanted = { type: 'generic', data: TEXT, audience, ...fields }
  return createBroadcast(application.code, wanted, {
    email: null,
    mayReachEveryone: true,
    mayReachOutsiders: true,
  })
}

/** Inserts people with preferences, quickly. */
export async function insertPeople(application: Application, emails: string[]) {
  const now = new Date().toISOString()
  for (let start = 0; start < emails.length; start += 500) {
    const part = emails.slice(start, start + 500)
    const rows = part.map((email) => ({
      email,
      active: true,
      theme: 'system',
      created_at: now,
      updated_at: now,
    }))
    await db.table('users').multiInsert(rows)
    const users = await User.query().whereIn('email', part).select('id')
    await ApplicationPreference.createMany(
      users.map(({ id }) => ({ userId: id, applicationId: application.id }))
    )
  }
}

/** Runs the background work of broadcasts until the test ends. */
export function startBroadcastWorker(cleanup: (callback: () => Promise<void>) => void) {
  const worker = new BackgroundWorker([
    new BroadcastExpansion(),
    new BroadcastDelivery(),
    new StoppedBroadcasts(),
  ])
  worker.start()
  cleanup(() => worker.stop())
  return worker
}

/** Waits for the status and returns the broadcast. */
export function waitForBroadcastStatus(id: number, status: BroadcastStatus, withinMs?: number) {
  return eventually(
    `broadcast ${id} is ${status}`,
    async () => {
      const broadcast = await Broadcast.findOrFail(id)
      return broadcast.status === status && broadcast
    },
    withinMs
  )
}

/** A broadcast that was cancelled before it started. */
export async function anEndedBroadcast(application: Application) {
  const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
  return cancelBroadcast(application.code, id)
}

/**
 * Opens the event stream of a broadcast. `ended` waits until the service closes it.
 * @throws Error if the service does not open the stream
 */
export async function anOpenStream(
  application: Application,
  email: string,
  cleanup: (callback: () => void) => void
) {
  const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
  const closing = new AbortController()
  cleanup(() => closing.abort())
  const response = await fetch(`${serviceUrl()}${pathOf(application, `${id}/stream`)}`, {
    headers: { authorization: `Bearer ${await issuer.token(email)}` },
    signal: closing.signal,
  })
  if (response.status !== 200) throw new Error(`The stream got a ${response.status}`)
  let isOver = false
  response
    .text()
    .catch(() => {})
    .finally(() => (isOver = true))
  return { ended: () => eventually('the stream has ended', () => isOver, 20_000) }
}
