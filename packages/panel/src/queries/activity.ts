import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'

export type ActivityDay = components['schemas']['ActivityDay']

/** What happened per UTC day, in one application or in all that the person can see. */
export const useActivity = (
  appCode: MaybeRefOrGetter<string | null>,
  days: MaybeRefOrGetter<number> = 30
) =>
  useQuery({
    queryKey: computed(() => ['activity', toValue(appCode), toValue(days)]),
    staleTime: 60_000,
    async queryFn({ signal }) {
      const query = { appCode: toValue(appCode) ?? undefined, days: toValue(days) }
      const { data } = await api.GET('/api/admin/activity', { params: { query }, signal })
      return data!.data
    },
  })
