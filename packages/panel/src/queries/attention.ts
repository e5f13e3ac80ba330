import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { api } from '@/api/client'

export type Attention = components['schemas']['Attention']

/** What needs attention, as far as the user can see it. */
export const useAttention = () =>
  useQuery({
    queryKey: ['attention'],
    queryFn: async ({ signal }) => (await api.GET('/api/admin/attention', { signal })).data!.data,
  })
