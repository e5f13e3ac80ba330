import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { Problem } from '@/api/problem'

export type Operations = components['schemas']['Operations']
export type Process = Operations['processes'][number]

/**
 * The state of the service, for global panel admins.
 *
 * @param everyMs How often it is read again; by default, it is not
 */
export const useOperations = (
  enabled: MaybeRefOrGetter<boolean>,
  everyMs: number | false = false
) =>
  useQuery({
    queryKey: ['operations'],
    enabled: computed(() => toValue(enabled)),
    refetchInterval: everyMs,
    queryFn: async ({ signal }) => (await api.GET('/api/admin/operations', { signal })).data!.data,
  })

/** Whether the process that responds can serve requests; null if it can, else why not. */
export const useReadiness = (everyMs: number) =>
  useQuery({
    queryKey: ['readiness'],
    refetchInterval: everyMs,
    retry: false,
    async queryFn({ signal }): Promise<string | null> {
      try {
        await api.GET('/api/health/ready', { signal })
        return null
      } catch (error) {
        if (error instanceof Problem && error.status === 503) return error.message
        throw error
      }
    },
  })
