import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, toValue } from 'vue'
import { type Api, type BodyOf, api, ifMatch } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import '@/queries/broadcast_commands'
import { useChange } from '@/queries/use_change'

type Schemas = components['schemas']
export type Broadcast = Schemas['Broadcast']
export type BroadcastStatus = Broadcast['status']
export type BroadcastPreview = Schemas['BroadcastPreview']
export type NewBroadcast = BodyOf<'broadcasts.broadcasts.store'>
/** What is previewed, and then confirmed. */
export type BroadcastContent = BodyOf<'broadcasts.broadcast_previews.store'>
export type BroadcastChanges = BodyOf<'broadcasts.broadcasts.update'>
export type Audience = BroadcastContent['audience']

export const STATUSES = [
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const satisfies BroadcastStatus[]

const ALL = '/api/admin/notifications/broadcast/{appCode}'
export const ONE = `${ALL}/{id}` as const

export const broadcastsKey = (appCode: string) => ['broadcasts', appCode]
export const broadcastKey = (appCode: string, id: number) => [...broadcastsKey(appCode), 'one', id]
export const placeOf = (appCode: string, id: number) => ({ path: { appCode, id } })

export const hasEnded = ({ status }: Broadcast) =>
  status === 'completed' || status === 'cancelled' || status === 'failed'

/** While one of them is sent, its numbers are looked for again. */
export const WATCH_MS = 5_000

/** Broadcasts, the newest first. An empty text does not count. */
export const useBroadcasts = (
  appCode: string,
  filter: MaybeRefOrGetter<{ status: string; type: string }>
) =>
  usePagedQuery<Broadcast>(
    () => [...broadcastsKey(appCode), 'list', toValue(filter)],
    (page, signal) => {
      const { status, type } = toValue(filter)
      const query = {
        ...page,
        ...(status && { status: status as BroadcastStatus }),
        ...(type && { type }),
      }
      return api.GET(ALL, { params: { path: { appCode }, query }, signal })
    },
    true,
    {
      staleTime: 0,
      watchMs: (rows) => (rows.some(({ status }) => status === 'running') ? WATCH_MS : null),
    }
  )

/** A broadcast. Its page follows the stream, which brings the changes. */
export const useBroadcast = (appCode: string, id: number) =>
  useQuery<Broadcast>({
    queryKey: broadcastKey(appCode, id),
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await api.GET(ONE, { params: placeOf(appCode, id), signal })).data!.data,
  })

/** Counts whom it would reach, and renders it for three of them. Nothing is sent. */
export const previewBroadcast = async (target: Api, appCode: string, body: BroadcastContent) =>
  (await target.POST(`${ALL}/preview`, { params: { path: { appCode } }, body })).data?.data

/** @param key of the request: with the same one, it is created once. */
export async function createBroadcast(
  target: Api,
  appCode: string,
  body: NewBroadcast,
  key?: string
) {
  const header = key === undefined ? {} : { header: { 'idempotency-key': key } }
  return (await target.POST(ALL, { params: { path: { appCode }, ...header }, body })).data?.data
}

export async function changeBroadcast(
  target: Api,
  appCode: string,
  { id, etag }: { id: number; etag: string | null },
  body: BroadcastChanges
) {
  const params = { ...placeOf(appCode, id), ...ifMatch(etag) }
  return (await target.PUT(ONE, { params, body })).data?.data
}

/** As it is stored, with the tag that a change needs. */
export async function readBroadcast(appCode: string, id: number) {
  const { data, response } = await api.GET(ONE, { params: placeOf(appCode, id) })
  return { broadcast: data!.data, etag: response.headers.get('etag') }
}

export type Step = 'pause' | 'resume' | 'cancel'

export const useStep = (
  appCode: string,
  id: number,
  step: Step,
  options: { done: () => string; onSuccess?: () => unknown }
) =>
  useChange((target, _: null) => target.POST(`${ONE}/${step}`, { params: placeOf(appCode, id) }), {
    refresh: [broadcastsKey(appCode)],
    ...options,
  })
