import type { components } from '@concierge/client'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { ONE, WATCH_MS, broadcastKey, placeOf } from '@/queries/broadcasts'

type OutcomeReasons = components['schemas']['OutcomeReasons']

export interface Recipient {
  email: string
  status: RecipientStatus
  statusReason: string | null
  notificationId: number | null
}

export const RECIPIENT_STATUSES = ['waiting', 'sent', 'failed', 'skipped'] as const
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]

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

export const statusOf = (status: string) => ({
  ...(status && { status: status as RecipientStatus }),
})
