import type { components, operations } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type Api, api } from '@/api/client'
import { useChange } from '@/queries/use_change'

export type UserPool = components['schemas']['UserPool']

type BodyOf<Operation extends { requestBody?: { content: { 'application/json': unknown } } }> =
  NonNullable<Operation['requestBody']>['content']['application/json']
export type PoolBody = BodyOf<operations['platform.user_pools.store']>

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
  useQuery({
    queryKey: [...POOLS, id, 'deletion'],
    staleTime: 0,
    retry: false,
    async queryFn() {
      const params = { path: { id }, query: { dryRun: 'true' as const } }
      return (await api.DELETE(ONE, { params })).data!.data.deletes
    },
  })

export const useDeletePool = (done: () => string, onSuccess: () => unknown) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { id } } }), {
    refresh: [POOLS],
    isDeletion: true,
    done,
    onSuccess,
  })
