import type { components } from '@concierge/client'
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api, ifMatch } from '@/api/client'
import type { Problem } from '@/api/problem'
import { useChange } from '@/queries/use_change'

type Matrix = components['schemas']['Matrix']
export type MatrixRole = Matrix['roles'][number]
export type MatrixPermission = Matrix['permissions'][number]
export type GrantedLevel = Matrix['grants'][number]['accessLevel']

/** A cell as the service changes it; null takes the permission from the role. */
export interface MatrixChange {
  roleId: number
  permissionId: number
  accessLevel: GrantedLevel | null
  /** Without it, the stored one is kept. */
  condition?: string | null
}

export interface StoredMatrix extends Matrix {
  etag: string | null
}

const MATRIX = '/api/applications/{appCode}/role-permissions'

export const matrixKey = (appCode: string) => ['matrix', appCode]

/** What all roles grant; the same object while nothing changes, so that nothing is redrawn. */
export function useMatrix(appCode: string) {
  const queries = useQueryClient()
  const queryKey = matrixKey(appCode)
  return useQuery({
    queryKey,
    shallow: true,
    structuralSharing: false,
    async queryFn({ signal }): Promise<StoredMatrix> {
      const { data, response } = await api.GET(MATRIX, { params: { path: { appCode } }, signal })
      const etag = response.headers.get('etag')
      const known = queries.getQueryData<StoredMatrix>(queryKey)
      return known && known.etag === etag ? known : { ...data!.data, etag }
    },
  })
}

/** How many people each change would affect. */
export const useMatrixEffects = (
  appCode: string,
  changes: MaybeRefOrGetter<MatrixChange[]>,
  enabled: MaybeRefOrGetter<boolean>
) =>
  useQuery({
    queryKey: computed(() => [...matrixKey(appCode), 'effects', toValue(changes)]),
    enabled: computed(() => toValue(enabled) && toValue(changes).length > 0),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    async queryFn({ signal }) {
      const params = { path: { appCode }, query: { dryRun: 'true' as const } }
      const body = { changes: toValue(changes) }
      return (await api.PATCH(MATRIX, { params, body, signal })).data!.data.changes
    },
  })

interface Application {
  changes: MatrixChange[]
  etag: string | null
}

/** Makes all changes or none; 412 if someone has changed the matrix since it was read. */
export const useChangeMatrix = (
  appCode: string,
  options: {
    done: () => string
    onSuccess: () => unknown
    onStale: () => unknown
    onProblem?: (problem: Problem) => boolean
  }
) =>
  useChange(
    (target, { changes, etag }: Application) =>
      target.PATCH(MATRIX, {
        params: { path: { appCode }, ...ifMatch(etag) },
        body: { changes },
      }),
    {
      refresh: [matrixKey(appCode), ['roles', appCode], ['permissions', appCode]],
      done: options.done,
      onSuccess: options.onSuccess,
      onProblem(problem) {
        if (problem.status !== 412) return options.onProblem?.(problem) ?? false
        options.onStale()
        return true
      },
    }
  )
