import { useQuery } from '@tanstack/vue-query'
import { type Ref, computed } from 'vue'
import type { components } from '@concierge/client'
import { api } from '@/api/client'
import type { Message } from '@/queries/messages'
import { PROVIDER } from '@/queries/provider'

const EVERY_MS = 1_500
/** The type of all mails of the identity provider. */
const TYPE = 'auth_idp'

/** The entry in the message log of a mail that was asked for; null until it is there. */
export const useRequestedMail = (
  requested: Ref<components['schemas']['RequestedTestMail'] | null>,
  isGivenUp: Ref<boolean>
) =>
  useQuery<Message | null>({
    queryKey: computed(() => [...PROVIDER, 'test mail', requested.value?.requestedAt]),
    enabled: computed(() => requested.value !== null),
    refetchInterval: ({ state }) =>
      isGivenUp.value || state.data?.status === 'sent' ? false : EVERY_MS,
    async queryFn({ signal }) {
      const { email: recipientEmail, requestedAt: from } = requested.value!
      const query = { recipientEmail, from, type: TYPE, limit: 1 }
      const { data } = await api.GET('/api/admin/notifications/log', { params: { query }, signal })
      return data!.data[0] ?? null
    },
  })
