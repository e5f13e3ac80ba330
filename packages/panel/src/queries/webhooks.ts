import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

type Schemas = components['schemas']
export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type WebhookEvent = Webhook['events'][number]
export type WebhookFields = Pick<Webhook, 'url' | 'events' | 'enabled'>
type DeliveryStatus = WebhookDelivery['status']

export const EVENTS = [
  'notification.sent',
  'notification.failed',
  'notification.skipped',
  'notification.bounced',
  'user.deactivated',
  'user.reactivated',
  'user.erased',
  'access.changed',
] as const satisfies WebhookEvent[]

export const DELIVERY_STATUSES = [
  'pending',
  'delivered',
  'failed',
  'dropped',
] as const satisfies DeliveryStatus[]

const ALL = '/api/applications/{appCode}/webhooks'
const ONE = '/api/applications/{appCode}/webhooks/{id}'
const DELIVERIES = `${ONE}/deliveries` as const

export const webhooksKey = (appCode: string) => ['webhooks', appCode]
const oneKey = (appCode: string, id: number) => [...webhooksKey(appCode), id]

/** The webhooks of an application, with the state of their deliveries. */
export const useWebhooks = (appCode: string) =>
  useQuery({
    queryKey: [...webhooksKey(appCode), 'list'],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await api.GET(ALL, { params: { path: { appCode } }, signal })).data!.data,
  })

/** A webhook, with the tag that a write needs. */
export const useWebhook = (appCode: string, id: number) =>
  useQuery({
    queryKey: oneKey(appCode, id),
    staleTime: 0,
    async queryFn({ signal }) {
      const { data, response } = await api.GET(ONE, { params: placeOf(appCode, id), signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

const placeOf = (appCode: string, id: number) => ({ path: { appCode, id } })

export const createWebhook = async (target: Api, appCode: string, body: WebhookFields) =>
  (await target.POST(ALL, { params: { path: { appCode } }, body })).data?.data

export async function updateWebhook(
  target: Api,
  { appCode, id, etag }: { appCode: string; id: number; etag: string | null },
  body: Partial<WebhookFields>
) {
  const params = { ...placeOf(appCode, id), ...ifMatch(etag) }
  return (await target.PUT(ONE, { params, body })).data?.data
}

interface Outcome {
  done: () => string
  onSuccess?: () => unknown
}

/** Switches a webhook on or off. */
export const useSwitch = (appCode: string, id: number, { done }: Outcome) =>
  useChange(
    (target, enabled: boolean) =>
      target.PUT(ONE, { params: placeOf(appCode, id), body: { enabled } }),
    { refresh: [webhooksKey(appCode)], done }
  )

export const useRotation = (appCode: string, id: number, onSuccess: (secret: string) => unknown) =>
  useChange(
    async (target, _: null) =>
      (await target.POST(`${ONE}/rotate-secret`, { params: placeOf(appCode, id) })).data?.data
        .secret ?? '',
    { refresh: [webhooksKey(appCode)], onSuccess }
  )

export const useTest = (appCode: string, id: number, outcome: Outcome) =>
  useChange((target, _: null) => target.POST(`${ONE}/test`, { params: placeOf(appCode, id) }), {
    refresh: [webhooksKey(appCode)],
    ...outcome,
  })

/** What a deletion would take. */
export const useWebhookDeletion = (appCode: string, id: number) =>
  useDeletion(oneKey(appCode, id), (query) =>
    api.DELETE(ONE, { params: { ...placeOf(appCode, id), query } })
  )

export const useDeleteWebhook = (appCode: string, done: () => string, onSuccess: () => unknown) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: placeOf(appCode, id) }), {
    refresh: [],
    done,
    onSuccess,
  })

/** While an event waits, its outcome is looked for again. */
const WATCH_MS = 3_000

/** Events for a webhook, the newest first. An empty text does not count. */
export const useWebhookDeliveries = (
  appCode: string,
  id: number,
  filter: MaybeRefOrGetter<{ status: string; type: string }>
) =>
  usePagedQuery<WebhookDelivery>(
    computed(() => [...oneKey(appCode, id), 'deliveries', toValue(filter)]),
    (page, signal) => {
      const { status, type } = toValue(filter)
      const query = {
        ...page,
        ...(status && { status: status as DeliveryStatus }),
        ...(type && { type }),
      }
      return api.GET(DELIVERIES, { params: { ...placeOf(appCode, id), query }, signal })
    },
    true,
    {
      staleTime: 0,
      watchMs: (rows) =>
        rows.some(({ nextAttemptAt }) => isSoon(nextAttemptAt)) ? WATCH_MS : null,
    }
  )

const isSoon = (at: string | null) => at !== null && Date.parse(at) - Date.now() < 30_000

/** Sends an event again. */
export const useReplay = (appCode: string, id: number, outcome: Outcome) =>
  useChange(
    (target, deliveryId: number) =>
      target.POST(`${DELIVERIES}/{deliveryId}/replay`, {
        params: { path: { appCode, id, deliveryId } },
      }),
    { refresh: [oneKey(appCode, id)], ...outcome }
  )

const COMMAND = '/api/applications/:appCode/webhooks'

/** The command line creates enabled ones only. */
conciergeCommand('POST', COMMAND, ([appCode], { url, events, enabled }) =>
  enabled === false
    ? null
    : [
        'webhooks',
        'create',
        appCode,
        String(url),
        ...option('events', (events as string[]).join(',')),
      ]
)
conciergeCommand('PUT', `${COMMAND}/:id`, ([appCode, id], { url, events, enabled }) => [
  'webhooks',
  'update',
  appCode,
  id,
  ...option('url', url),
  ...option('events', (events as string[] | undefined)?.join(',')),
  ...option('enabled', enabled),
])
conciergeCommand('POST', `${COMMAND}/:id/rotate-secret`, ([appCode, id]) => [
  'webhooks',
  'rotate-secret',
  appCode,
  id,
])
conciergeCommand('POST', `${COMMAND}/:id/deliveries/:deliveryId/replay`, ([appCode, id, one]) => [
  'webhooks',
  'replay',
  appCode,
  id,
  one,
])
