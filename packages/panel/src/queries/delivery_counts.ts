import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { MESSAGES_KEY } from '@/queries/messages'

const COUNTS = '/api/admin/notifications/stats/{appCode}'

/** How many messages there were, per UTC day, channel and status. */
export const useDeliveryCounts = (appCode: string, days: MaybeRefOrGetter<number>) =>
  useQuery({
    queryKey: computed(() => [...MESSAGES_KEY, 'days', appCode, toValue(days)]),
    staleTime: 60_000,
    async queryFn({ signal }) {
      const query = { from: `${firstDay(toValue(days))}T00:00:00Z` }
      const params = { path: { appCode }, query }
      return (await api.GET(COUNTS, { params, signal })).data!.data
    },
  })

const DAY_MS = 86_400_000

/** The UTC days of a period that ends today, as `2030-12-31`. */
export const lastDays = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.now() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10)
  )

const firstDay = (count: number) => lastDays(count)[0]!

/** What was sent of a type, per hour since a moment. @param from ISO 8601 */
export const useTypeDeliveries = (appCode: string, type: MaybeRefOrGetter<string>, from: string) =>
  useQuery({
    queryKey: computed(() => ['deliveries', appCode, toValue(type), from]),
    async queryFn({ signal }) {
      const query = { type: toValue(type), from, per: 'hour' as const }
      const params = { path: { appCode }, query }
      return (await api.GET(COUNTS, { params, signal })).data!.data
    },
  })
