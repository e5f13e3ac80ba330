import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { beginOf } from '@/api/day_range'
import { usePagedQuery } from '@/api/paged'
import type { Problem } from '@/api/problem'
import { useChange } from '@/queries/use_change'

type Schemas = components['schemas']

export type Message = Schemas['LogEntry']
export type MessageDetails = Schemas['LogEntryDetails']
export type MessageStatus = Message['status']
export type MessageDelivery = MessageDetails['deliveries'][number]
export type DecisionStep = Schemas['DeliveryStep']
/** What was decided about a message, or would be. */
export type Decisions = Schemas['RecordedExplanation'] | Schemas['DeliveryExplanation']

export const STATUSES = [
  'sent',
  'failed',
  'skipped',
  'scheduled',
] as const satisfies MessageStatus[]

/** What the list of messages is narrowed to. An empty text does not count. */
export interface MessagesFilter {
  /** The code of an application; empty for all. */
  application: string
  recipient: string
  status: string
  type: string
  broadcast: string
  /** The first and the last day, as `2030-12-31` in the time zone of the browser. */
  from: string
  to: string
}

const ALL = '/api/admin/notifications/log'
const OF_APPLICATION = '/api/admin/notifications/log/{appCode}'
const ONE = '/api/admin/notifications/log/{appCode}/{id}'

/** Below this, everything that is known about messages. */
export const MESSAGES_KEY = ['log']

function queryOf({ recipient, status, type, broadcast, from, to }: MessagesFilter) {
  return {
    ...(recipient && { recipientEmail: recipient }),
    ...(status && { status: status as MessageStatus }),
    ...(type && { type }),
    ...(broadcast && { broadcastId: Number(broadcast) }),
    ...(from && { from: beginOf(from) }),
    ...(to && { to: beginOf(to, 1) }),
  }
}

/** Messages, the newest first: of one application, or of all. More may be sent at any time. */
export const useMessages = (
  filter: MaybeRefOrGetter<MessagesFilter>,
  enabled: MaybeRefOrGetter<boolean> = true
) =>
  usePagedQuery<Message>(
    () => [...MESSAGES_KEY, 'list', toValue(filter).application, queryOf(toValue(filter))],
    (page, signal) => {
      const query = { ...page, ...queryOf(toValue(filter)) }
      const appCode = toValue(filter).application
      return appCode
        ? api.GET(OF_APPLICATION, { params: { path: { appCode }, query }, signal })
        : api.GET(ALL, { params: { query }, signal })
    },
    enabled,
    { staleTime: 0 }
  )

/** What follows `concierge` to list the same. */
export function commandOf(filter: MessagesFilter): string[] {
  const { recipientEmail, broadcastId, ...others } = queryOf(filter)
  return [
    'log',
    'list',
    ...(filter.application ? [filter.application] : []),
    ...option('recipient', recipientEmail),
    ...option('broadcast', broadcastId),
    ...Object.entries(others).flatMap(([name, value]) => option(name, value)),
  ]
}

const keyOf = (appCode: string, id: number) => [...MESSAGES_KEY, 'one', appCode, id]
const at = (appCode: string, id: number) => ({ path: { appCode, id } })

/** While something is still to happen, it is looked for again. */
const WATCH_MS = 5_000

/** One message, with its attempts. */
export const useMessage = (appCode: string, id: number) =>
  useQuery<MessageDetails>({
    queryKey: keyOf(appCode, id),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') ? WATCH_MS : false,
    queryFn: async ({ signal }) =>
      (await api.GET(ONE, { params: at(appCode, id), signal })).data!.data,
  })

/** What it said. */
export const useMessageBody = (appCode: string, id: number) =>
  useQuery({
    queryKey: [...keyOf(appCode, id), 'body'],
    queryFn: async ({ signal }) =>
      (await api.GET(`${ONE}/body`, { params: at(appCode, id), signal })).data!.data,
  })

/** What was decided about it. */
export const useRecordedDecisions = (appCode: string, id: number) =>
  useQuery({
    queryKey: [...keyOf(appCode, id), 'decisions'],
    queryFn: async ({ signal }): Promise<Decisions> =>
      (await api.GET(`${ONE}/explain`, { params: at(appCode, id), signal })).data!.data,
  })

/** What would be decided about the same message now. Nothing is sent. */
export const useDecisionsNow = (
  appCode: string,
  message: MaybeRefOrGetter<MessageDetails>,
  enabled: MaybeRefOrGetter<boolean>
) =>
  useQuery({
    queryKey: computed(() => [...keyOf(appCode, toValue(message).id), 'now']),
    enabled: computed(() => toValue(enabled)),
    staleTime: 0,
    retry: false,
    async queryFn({ signal }): Promise<Decisions> {
      const { recipientEmail, type, template, locale, payload } = toValue(message)
      const { data } = await api.POST('/api/admin/notifications/explain/{appCode}', {
        params: { path: { appCode } },
        body: { recipientEmail, type, ...(template && { template }), locale, data: payload },
        signal,
      })
      return data!.data
    },
  })

/** Sends a failed message again. */
export const useResend = (
  appCode: string,
  id: number,
  options: {
    done: (status: MessageStatus) => string
    onSuccess: () => unknown
    onProblem: (problem: Problem) => boolean
  }
) =>
  useChange(
    async (target, _: null) => {
      const { data } = await target.POST(`${ONE}/resend`, { params: at(appCode, id) })
      return data?.data.status ?? 'sent'
    },
    { refresh: [MESSAGES_KEY], ...options }
  )

/** Cancels a message that waits for its time. */
export const useCancellation = (
  appCode: string,
  id: number,
  options: { done: () => string; onSuccess: () => unknown }
) =>
  useChange((target, _: null) => target.POST(`${ONE}/cancel`, { params: at(appCode, id) }), {
    refresh: [MESSAGES_KEY],
    ...options,
  })

conciergeCommand('POST', '/api/admin/notifications/log/:appCode/:id/resend', ([appCode, id]) => [
  'log',
  'resend',
  appCode,
  id,
])
conciergeCommand('POST', '/api/admin/notifications/log/:appCode/:id/cancel', ([, id]) => [
  'log',
  'cancel',
  id,
])
