import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { conciergeCommand } from '@/api/commands'
import { PEOPLE_KEY } from '@/queries/people'
import { useChange } from '@/queries/use_change'

export type PushDevice = components['schemas']['PushDevice']

const ALL = '/api/users/{email}/push-subscriptions'

/** The browsers that get push messages of a person. */
export const usePushDevices = (email: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => [...PEOPLE_KEY, 'devices', toValue(email)]),
    queryFn: async ({ signal }) =>
      (await api.GET(ALL, { params: { path: { email: toValue(email) } }, signal })).data!.data,
  })

export const useRemoveDevice = (email: () => string, done: () => string) =>
  useChange(
    (target, id: number) =>
      target.DELETE(`${ALL}/{id}`, { params: { path: { email: email(), id } } }),
    { refresh: [PEOPLE_KEY], done }
  )

conciergeCommand('DELETE', '/api/users/:email/push-subscriptions/:id', ([email, id]) => [
  'users',
  'remove-device',
  email,
  id,
])
