import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'

/** The state of the service, for global panel admins. */
export const useOperations = (enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: ['operations'],
    enabled: computed(() => toValue(enabled)),
    queryFn: async ({ signal }) => (await api.GET('/api/admin/operations', { signal })).data!.data,
  })

/** Whether the identity provider sends its mails through the service, for super admins. */
export const useMailProvider = (enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: ['provider', 'mail'],
    enabled: computed(() => toValue(enabled)),
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/idp/admin/notification-provider', { signal })).data!,
  })
