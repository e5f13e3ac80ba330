import type { components } from '@concierge/client'
import { useMutation, useQuery } from '@tanstack/vue-query'
import { type Api, api, ifMatch } from '@/api/client'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type Entity = components['schemas']['Entity']
export type EntityFields = Pick<
  Entity,
  'code' | 'name' | 'description' | 'idLabel' | 'listEndpoint'
>

const ALL = '/api/applications/{appCode}/entities'
const ONE = `${ALL}/{id}` as const

export const entitiesKey = (appCode: string) => ['entities', appCode]

/** The kinds of resources that an application has. */
export const useEntities = (appCode: string) =>
  useQuery({
    queryKey: entitiesKey(appCode),
    queryFn: async ({ signal }) =>
      (await api.GET(ALL, { params: { path: { appCode } }, signal })).data!.data,
  })

/** One of them, with the tag that a write needs. */
export const useEntity = (appCode: string, id: number) =>
  useQuery({
    queryKey: [...entitiesKey(appCode), id],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { appCode, id } }
      const { data, response } = await api.GET(ONE, { params, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

/** Creates an entity, or changes the one with the id. */
export const saveEntity = (
  target: Api,
  appCode: string,
  stored: { id: number; etag: string | null } | null,
  body: EntityFields
): Promise<unknown> =>
  stored === null
    ? target.POST(ALL, { params: { path: { appCode } }, body })
    : target.PUT(ONE, {
        params: { path: { appCode, id: stored.id }, ...ifMatch(stored.etag) },
        body,
      })

export const useEntityDeletionPreview = (appCode: string, id: number) =>
  useDeletion([...entitiesKey(appCode), id], (query) =>
    api.DELETE(ONE, { params: { path: { appCode, id }, query } })
  )

export const useDeleteEntity = (appCode: string, onSuccess: () => void) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { appCode, id } } }), {
    refresh: [entitiesKey(appCode)],
    isDeletion: true,
    onSuccess,
  })

/** The resources of a kind, from the application itself. It can be slow, or fail. */
export async function fetchResources(appCode: string, entityCode: string, signal?: AbortSignal) {
  const { data } = await api.GET('/api/applications/{appCode}/entities/{entityCode}/items', {
    params: { path: { appCode, entityCode } },
    signal,
  })
  return data!.data.items
}

/** Asks the application once, and says how long that took. */
export const useEndpointTest = (appCode: string) =>
  useMutation({
    async mutationFn(entityCode: string) {
      const startedAt = performance.now()
      const items = await fetchResources(appCode, entityCode)
      return { items, milliseconds: Math.round(performance.now() - startedAt) }
    },
  })
