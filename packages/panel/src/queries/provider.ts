import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api } from '@/api/client'
import { Problem } from '@/api/problem'
import { useChange } from '@/queries/use_change'

type Schemas = components['schemas']

export type ProviderStatus = Schemas['ProviderStatus']
export type SetupPreview = Schemas['SetupPreview']
export type SetupStep = SetupPreview['steps'][number]

const MAILS = '/api/idp/admin/notification-provider'

/** Below this, everything that is known about the identity provider. */
export const PROVIDER = ['provider']

/** Whether the identity provider sends its mails through the service, for super admins. */
export const useMailProvider = (
  enabled: MaybeRefOrGetter<boolean> = true,
  everyMs: number | false = false
) =>
  useQuery({
    queryKey: [...PROVIDER, 'mail'],
    enabled: computed(() => toValue(enabled)),
    retry: false,
    refetchInterval: everyMs,
    queryFn: async ({ signal }) => (await api.GET(MAILS, { signal })).data!,
  })

/** What a setup would change there. The service can only ask with an account and a key. */
export const useSetupPreview = (
  enabled: MaybeRefOrGetter<boolean>,
  { rotate = false, everyMs = false as number | false | (() => number | false) } = {}
) =>
  useQuery({
    queryKey: [...PROVIDER, 'setup', rotate],
    enabled: computed(() => toValue(enabled)),
    retry: false,
    refetchInterval: typeof everyMs === 'function' ? () => everyMs() : everyMs,
    async queryFn({ signal }): Promise<SetupPreview> {
      const params = { query: rotate ? { rotate: 'true' as const } : {} }
      return (await api.GET(`${MAILS}/setup`, { params, signal })).data!
    },
  })

/** Whether its discovery document can be read; the problem if it cannot. */
export const useProviderHealth = () =>
  useQuery({
    queryKey: [...PROVIDER, 'health'],
    retry: false,
    async queryFn({ signal }): Promise<{ url: string | null }> {
      try {
        const { data } = await api.GET('/api/idp/health', { signal })
        return { url: data!.data.idpUrl }
      } catch (error) {
        if (error instanceof Problem && error.status === 502) return { url: null }
        throw error
      }
    },
  })

const setUp = (target: Api, rotate: boolean) =>
  target.POST(`${MAILS}/setup`, { body: rotate ? { rotate } : {} })

export const useSetup = (done: () => string) =>
  useChange((target, { rotate }: { rotate: boolean }) => setUp(target, rotate), {
    refresh: [PROVIDER],
    done,
  })

export const useTestMail = (onSuccess: (mail: Schemas['RequestedTestMail']) => unknown) =>
  useChange(async (target, _: null) => (await target.POST(`${MAILS}/test`, {})).data!, {
    refresh: [],
    onSuccess,
  })
