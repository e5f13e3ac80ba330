import type { components } from '@concierge/client'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { api } from '@/api/client'
import { useChange } from '@/queries/use_change'

export type InboxMessage = components['schemas']['InboxItem']

const KEY = ['inbox']
const SHOWN = 20
const POLL_MS = 60_000

/** How many messages the person who is signed in has not read. */
export const useUnreadCount = () =>
  useQuery({
    queryKey: [...KEY, 'unread'],
    refetchInterval: POLL_MS,
    queryFn: async () =>
      (await api.GET('/api/profile/me/notifications/inbox/unread-count')).data!.response.count,
  })

/** Their newest messages. */
export const useNewestMessages = (enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: [...KEY, 'newest'],
    enabled: computed(() => toValue(enabled)),
    queryFn: async () =>
      (
        await api.GET('/api/profile/me/notifications/inbox', {
          params: { query: { limit: SHOWN } },
        })
      ).data!.response,
  })

export const useReadMessage = () =>
  useChange(
    (target, id: number) =>
      target.PATCH('/api/profile/me/notifications/inbox/{id}/read', { params: { path: { id } } }),
    { refresh: [KEY] }
  )

export const useReadAll = () =>
  useChange((target, _: null) => target.POST('/api/profile/me/notifications/inbox/read-all'), {
    refresh: [KEY],
  })
