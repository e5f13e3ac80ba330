import type { components } from '@concierge/client'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, type BodyOf, api, ifMatch, nextCursor } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'

type Schemas = components['schemas']
export type Broadcast = Schemas['Broadcast']
export type BroadcastStatus = Broadcast['status']
export type BroadcastPreview = Schemas['BroadcastPreview']
export type OutcomeReasons = Schemas['OutcomeReasons']
export type NewBroadcast = BodyOf<'broadcasts.broadcasts.store'>
/** What is previewed, and then confirmed. */
export type BroadcastContent = BodyOf<'broadcasts.broadcast_previews.store'>
export type BroadcastChanges = BodyOf<'broadcasts.broadcasts.update'>
export type Audience = BroadcastContent['audience']

export interface Recipient {
  email: string
  status: RecipientStatus
  statusReason: string | null
  notificationId: number | null
}

export const STATUSES = [
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const satisfies BroadcastStatus[]

export const RECIPIENT_STATUSES = ['waiting', 'sent', 'failed', 'skipped'] as const
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]

const ALL = '/api/admin/notifications/broadcast/{appCode}'
const ONE = `${ALL}/{id}` as const

export const broadcastsKey = (appCode: string) => ['broadcasts', appCode]
export const broadcastKey = (appCode: string, id: number) => [...broadcastsKey(appCode), 'one', id]
const placeOf = (appCode: string, id: number) => ({ path: { appCode, id } })

export const hasEnded = ({ status }: Broadcast) =>
  status === 'completed' || status === 'cancelled' || status === 'failed'

/** While one of them is sent, its numbers are looked for again. */
const WATCH_MS = 5_000

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

export const createBroadcast = async (target: Api, appCode: string, body: NewBroadcast) =>
  (await target.POST(ALL, { params: { path: { appCode } }, body })).data?.data

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

/** Why recipients did not get it. @param seen changes with the numbers of the broadcast */
export const useReasons = (
  appCode: string,
  id: number,
  seen: MaybeRefOrGetter<string>,
  enabled: MaybeRefOrGetter<boolean>
) =>
  useQuery<Record<'failed' | 'skipped', OutcomeReasons>>({
    queryKey: computed(() => [...broadcastKey(appCode, id), 'reasons', toValue(seen)]),
    enabled: computed(() => toValue(enabled)),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET(`${ONE}/reasons`, { params: placeOf(appCode, id), signal })).data!.data,
  })

/** In the order in which they were stored. An empty status stands for all. */
export const useRecipients = (
  appCode: string,
  id: number,
  status: MaybeRefOrGetter<string>,
  isRunning: () => boolean
) =>
  usePagedQuery<Recipient>(
    () => [...broadcastKey(appCode, id), 'recipients', toValue(status)],
    async (page, signal) => {
      const query = { ...page, ...statusOf(toValue(status)) }
      const params = { ...placeOf(appCode, id), query }
      const { data, response } = await api.GET(`${ONE}/recipients`, { params, signal })
      // The route also sends CSV and other text, but only if it is asked to.
      return { data: data as unknown as { data: Recipient[] }, response }
    },
    true,
    { staleTime: 0, watchMs: () => (isRunning() ? WATCH_MS : null) }
  )

const statusOf = (status: string) => ({ ...(status && { status: status as RecipientStatus }) })

const PAGE = 200
/** More would keep the service busy for minutes. */
export const MOST_EXPORTED = 10_000

/** The recipients as a CSV file without formulas, and whether there are more than it holds. */
export async function exportRecipients(appCode: string, id: number, status: string) {
  const parts: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null && parts.length * PAGE < MOST_EXPORTED) {
    const query = { ...statusOf(status), limit: PAGE, ...(cursor && { cursor }) }
    const { data, response } = await api.GET(`${ONE}/recipients`, {
      params: { ...placeOf(appCode, id), query },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    })
    const text = data as unknown as string
    // Only the first page keeps its header line.
    parts.push(cursor ? text.slice(text.indexOf('\n') + 1) : text)
    cursor = nextCursor(response)
  }
  // Spreadsheets take a file without a byte order mark for one in an old encoding.
  return {
    file: new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' }),
    isCut: cursor !== null,
  }
}

const COMMAND = '/api/admin/notifications/broadcast/:appCode'

function audienceWords(audience: Audience | undefined): string[] {
  if (!audience) return []
  if (audience.kind === 'role') return ['--to', `role:${audience.roleCode}`]
  if (audience.kind !== 'emails') return ['--to', audience.kind]
  return ['--to', 'emails', ...audience.emails.flatMap((email) => ['--email', email])]
}

function contentWords(body: Record<string, unknown>): string[] {
  const { type, audience, data, template, locale, ratePerSecond, scheduledAt } = body
  return [
    ...option('type', type),
    ...audienceWords(audience as Audience | undefined),
    ...option('template', template),
    ...(data ? ['--data', JSON.stringify(data)] : []),
    ...option('locale', locale),
    ...option('rate', ratePerSecond),
    ...option('at', scheduledAt),
  ]
}

conciergeCommand('POST', COMMAND, ([appCode], body) => [
  ...['broadcast', 'send', appCode, ...contentWords(body)],
  ...option('expect', body.expectedTotal),
])
conciergeCommand('POST', `${COMMAND}/preview`, ([appCode], body) => [
  ...['broadcast', 'preview', appCode, ...contentWords(body)],
])
/** The command line cannot set something back to its default. */
conciergeCommand('PUT', `${COMMAND}/:id`, ([appCode, id], body) =>
  Object.values(body).includes(null)
    ? null
    : ['broadcast', 'change', appCode, id, ...contentWords(body)]
)
for (const step of ['pause', 'resume', 'cancel'] as const) {
  conciergeCommand('POST', `${COMMAND}/:id/${step}`, ([appCode, id]) => [
    ...['broadcast', step, appCode, id],
  ])
}
