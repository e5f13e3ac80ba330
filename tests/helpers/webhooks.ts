import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import { DateTime } from 'luxon'
import { Webhook as Verifier } from 'standardwebhooks'
import { sealEntries } from '#app/audit/actions/seal_entries'
import type Application from '#app/applications/models/application'
import { createWebhook } from '#app/webhooks/actions/create_webhook'
import { RelaySource } from '#app/webhooks/background/relay_source'
import { WebhookSource } from '#app/webhooks/background/webhook_source'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { EVENT_TYPES, type EventType } from '#app/webhooks/values/event_types'
import { signedIn } from '#tests/helpers/people'
import { eventually } from '#tests/helpers/eventually'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import { type Handler, TestHttpServer } from '#tests/world/http_server'

type Cleanup = (callback: () => Promise<void>) => void

export interface ReceivedEvent {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** Of tests that call every route: an attempt at their addresses would take long. */
export const forgetOtherWebhooks = async () => void (await Webhook.query().delete())

export const respondWith =
  (status: number): Handler =>
  (_, response) =>
    response.writeHead(status).end()

/** A server of an application, by default one that accepts everything. */
export async function aReceiver(cleanup: Cleanup, handler = respondWith(204)) {
  const server = await new TestHttpServer(handler).start()
  cleanup(() => server.stop())
  return server
}

interface WebhookOptions {
  events?: EventType[]
  enabled?: boolean
}

/** Deleted when the test ends, so that others need not deal with its events. */
export async function aWebhook(
  cleanup: Cleanup,
  { code }: Pick<Application, 'code'>,
  url: string,
  { events = [...EVENT_TYPES], enabled }: WebhookOptions = {}
) {
  const { webhook, secret } = await createWebhook(code, { url, events, enabled })
  cleanup(async () => void (await (await Webhook.find(webhook.id))?.delete()))
  return { id: webhook.id, secret, path: `/api/applications/${code}/webhooks/${webhook.id}` }
}

/** As the library of receivers verifies and reads it. */
export function verified(
  { headers, body }: TestHttpServer['requests'][number],
  secret: string
): ReceivedEvent {
  return new Verifier(secret).verify(body, headers as Record<string, string>) as ReceivedEvent
}

/** What receivers got, verified. */
export const eventsAt = ({ requests }: TestHttpServer, secret: string) =>
  requests.map((request) => verified(request, secret))

export const deliveriesTo = (webhookId: number) =>
  WebhookDelivery.query().where({ webhookId }).orderBy('id')

/** Makes an attempt at everything that is due, and waits for the results. */
export async function attemptDue(webhookId: number, source = new WebhookSource()) {
  const claimed = await deliveriesTo(webhookId).where('dueAt', '<=', DateTime.utc().toISO())
  const before = new Map(claimed.map(({ id, attempts }) => [id, attempts]))
  await eventually('all attempts are recorded', async () => {
    await source.work()
    const now = await deliveriesTo(webhookId).whereIn('id', [...before.keys()])
    return now.every(({ id, attempts, claim }) => attempts > before.get(id)! && claim === null)
  })
}

/** Skips the pause before the next attempt, or the claim of a dead process. */
export async function makeDue(webhookId: number, fields: Partial<WebhookDelivery> = {}) {
  for (const delivery of await deliveriesTo(webhookId).whereNotNull('dueAt')) {
    await delivery.merge({ dueAt: LONG_AGO, ...fields }).save()
  }
}

/** Turns what changed into events. */
export async function relayChanges() {
  while (await sealEntries()) continue
  while (await new RelaySource().work()) continue
}

/** An administrator of the application who acts on its webhooks. */
export function webhookAdmin(client: ApiClient, email: string, { code }: { code: string }) {
  const caller = signedIn(client, email)
  const base = `/api/applications/${code}/webhooks`
  return {
    create: (body: object) => caller.post(base, body),
    list: () => caller.get(base),
    show: (id: number) => caller.get(`${base}/${id}`),
    update: (id: number, body: object) => caller.put(`${base}/${id}`, body),
    remove: (id: number) => caller.delete(`${base}/${id}`),
    rotate: (id: number) => caller.post(`${base}/${id}/rotate-secret`),
    test: (id: number) => caller.post(`${base}/${id}/test`),
    deliveries: (id: number, query = '') => caller.get(`${base}/${id}/deliveries${query}`),
    replay: (id: number, deliveryId: number) =>
      caller.post(`${base}/${id}/deliveries/${deliveryId}/replay`),
  }
}

/** Everything that the receiver has is new, so this asserts that it got nothing more. */
export function assertTypes(
  assert: Assert,
  server: TestHttpServer,
  secret: string,
  types: string[]
) {
  assert.sameMembers(
    eventsAt(server, secret).map(({ type }) => type),
    types
  )
}
