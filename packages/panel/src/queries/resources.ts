import type { CataloguedResource, components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import type { MaybeRefOrGetter } from 'vue'
import { computed, toValue } from 'vue'
import { type Api, api } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'

export type Resource = components['schemas']['CataloguedResource']

const ALL = '/api/applications/{appCode}/entities/{id}/resources'

export const resourcesKey = (appCode: string) => ['catalog', appCode]

/** The catalogued resources of an entity, a page at a time. */
export const useResources = (
  appCode: string,
  id: MaybeRefOrGetter<number>,
  search: MaybeRefOrGetter<string>
) =>
  usePagedQuery<Resource>(
    () => [...resourcesKey(appCode), toValue(id), toValue(search)],
    (page, signal) => {
      const query = { ...page, ...(toValue(search) && { search: toValue(search) }) }
      return api.GET(ALL, { params: { path: { appCode, id: toValue(id) }, query }, signal })
    }
  )

export async function findResources(
  target: { appCode: string; id: number },
  { search, limit }: { search: string; limit: number },
  signal?: AbortSignal
) {
  const params = { path: target, query: { limit, ...(search && { search }) } }
  return (await api.GET(ALL, { params, signal })).data!.data
}

/** Whether the catalog of an entity has a resource. @param id null if the entity does not exist */
export const useHasResources = (appCode: string, id: MaybeRefOrGetter<number | null>) =>
  useQuery({
    queryKey: computed(() => [...resourcesKey(appCode), toValue(id), 'any']),
    enabled: computed(() => toValue(id) !== null),
    queryFn: async ({ signal }) => {
      const some = { search: '', limit: 1 }
      return (await findResources({ appCode, id: toValue(id)! }, some, signal)).length > 0
    },
  })

export const saveResources = (
  target: Api,
  path: { appCode: string; id: number },
  resources: CataloguedResource[]
) => target.PUT(ALL, { params: { path }, body: { resources } })

export const useDeleteResource = (appCode: string, id: number, onSuccess: () => void) =>
  useChange(
    (target, resourceId: string) => {
      const params = { path: { appCode, id } }
      return target.POST(`${ALL}/delete`, { params, body: { resourceIds: [resourceId] } })
    },
    { refresh: [resourcesKey(appCode)], onSuccess }
  )
