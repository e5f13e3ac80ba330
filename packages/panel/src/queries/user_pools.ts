import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type Api, type BodyOf, api } from '@/api/client'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type UserPool = components['schemas']['UserPool']

export type PoolBody = BodyOf<'platform.user_pools.store'>

const LIST = '/api/admin/user-pools'
const ONE = `${LIST}/{id}` as const

export const POOLS = ['user pools']

export const useUserPools = () =>
  useQuery({
    queryKey: POOLS,
    queryFn: async ({ signal }) => (await api.GET(LIST, { signal })).data!.data,
  })

/** Creates a pool, or changes the one with the id. */
export const savePool = (target: Api, id: number | null, body: PoolBody): Promise<unknown> =>
  id === null ? target.POST(LIST, { body }) : target.PUT(ONE, { params: { path: { id } }, body })

/** What a deletion would take. */
export const usePoolDeletion = (id: number) =>
  useDeletion([...POOLS, id], (query) => api.DELETE(ONE, { params: { path: { id }, query } }))

export const useDeletePool = (done: () => string, onSuccess: () => unknown) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { id } } }), {
    refresh: [POOLS],
    isDeletion: true,
    done,
    onSuccess,
  })
