import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, type BodyOf, api, ifMatch } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type NotificationType = components['schemas']['NotificationType']
/** A type, with the tag that a write needs. */
export type TaggedType = NotificationType & { etag: string | null }

export type NewType = BodyOf<'admin_notifications.types.store'>
export type TypeChanges = BodyOf<'admin_notifications.types.update'>

const LIST = '/api/admin/notifications/types/{appCode}'
const ONE = '/api/admin/notifications/types/{appCode}/{type}'

export const typesKey = (appCode: string) => ['notification types', appCode]

export function useNotificationTypes(appCode: string, search: MaybeRefOrGetter<string>) {
  const key = computed(() => [...typesKey(appCode), 'list', toValue(search)])
  return usePagedQuery(key, (page, signal) => {
    const query = { ...page, search: toValue(search) || undefined }
    return api.GET(LIST, { params: { path: { appCode }, query }, signal })
  })
}

/** Codes of the types of an application, for a filter. */
export const useTypeCodes = (appCode: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => [...typesKey(toValue(appCode)), 'list', 'codes']),
    enabled: computed(() => toValue(appCode) !== ''),
    async queryFn({ signal }) {
      const params = { path: { appCode: toValue(appCode) }, query: { limit: 200 } }
      return (await api.GET(LIST, { params, signal })).data!.data.map(({ code }) => code)
    },
  })

export const useNotificationType = (appCode: string, type: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => [...typesKey(appCode), toValue(type)]),
    async queryFn({ signal }): Promise<TaggedType> {
      const params = { path: { appCode, type: toValue(type) } }
      const { data, response } = await api.GET(ONE, { params, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

export const createType = async (target: Api, appCode: string, body: NewType) =>
  (await target.POST(LIST, { params: { path: { appCode } }, body })).data?.data

export const updateType = (
  target: Api,
  { etag, ...path }: { appCode: string; type: string; etag: string | null },
  body: TypeChanges
) => target.PUT(ONE, { params: { path, ...ifMatch(etag) }, body })

/** What a deletion would take. */
export const useTypeDeletion = (appCode: string, type: string) =>
  useDeletion([...typesKey(appCode), type], (query) =>
    api.DELETE(ONE, { params: { path: { appCode, type }, query } })
  )

export const useDeleteType = (appCode: string, done: () => string, onSuccess: () => unknown) =>
  useChange((target, type: string) => target.DELETE(ONE, { params: { path: { appCode, type } } }), {
    refresh: [[...typesKey(appCode), 'list']],
    isDeletion: true,
    done,
    onSuccess,
  })
