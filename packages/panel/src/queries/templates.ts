import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, type BodyOf, api, nextCursor } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type Template = components['schemas']['Template']
export type TemplateVariable = components['schemas']['TemplateVariable']

export type NewTemplate = BodyOf<'admin_notifications.templates.store'>
export type TemplateChanges = BodyOf<'admin_notifications.templates.update'>

const OF_TYPE = '/api/admin/notifications/types/{appCode}/{type}/templates'
const ONE = '/api/admin/notifications/templates/{appCodeOrId}'

export const templatesKey = (appCode: string) => ['templates', appCode]

/** The templates of a type, a page at a time. */
export function useTemplatesOfType(appCode: string, type: MaybeRefOrGetter<string>) {
  const key = computed(() => [...templatesKey(appCode), 'of type', toValue(type)])
  return usePagedQuery(key, (page, signal) => {
    const params = { path: { appCode, type: toValue(type) }, query: page }
    return api.GET(OF_TYPE, { params, signal })
  })
}

const MOST = 200

/** The templates that a send of the type can name. An empty type has none. */
export const useTemplateChoices = (appCode: string, type: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => [...templatesKey(appCode), 'choices', toValue(type)]),
    enabled: computed(() => toValue(type) !== ''),
    retry: false,
    async queryFn({ signal }) {
      const params = { path: { appCode, type: toValue(type) }, query: { limit: MOST } }
      return (await api.GET(OF_TYPE, { params, signal })).data!.data
    },
  })

/** A template of a type. The API lists them only, so that it may take more than one request. */
export const useTemplate = (appCode: string, type: string, id: MaybeRefOrGetter<number>) =>
  useQuery({
    queryKey: computed(() => [...templatesKey(appCode), type, toValue(id)]),
    async queryFn({ signal }): Promise<Template | null> {
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { limit: MOST, cursor }
        const params = { path: { appCode, type }, query }
        const { data, response } = await api.GET(OF_TYPE, { params, signal })
        const found = data!.data.find((one) => one.id === toValue(id))
        if (found) return found
        cursor = nextCursor(response)
      }
      return null
    },
  })

export const createTemplate = async (
  target: Api,
  path: { appCode: string; type: string },
  body: NewTemplate
) => (await target.POST(OF_TYPE, { params: { path }, body })).data?.data

export const updateTemplate = (target: Api, id: number, body: TemplateChanges) =>
  target.PUT(ONE, { params: { path: { appCodeOrId: id } }, body })

/** What a deletion would take. */
export const useTemplateDeletion = (appCode: string, id: number) =>
  useDeletion([...templatesKey(appCode), id], (query) =>
    api.DELETE(ONE, { params: { path: { appCodeOrId: id }, query } })
  )

export const useDeleteTemplate = (appCode: string, done: () => string, onSuccess: () => unknown) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { appCodeOrId: id } } }), {
    refresh: [[...templatesKey(appCode), 'of type']],
    isDeletion: true,
    done,
    onSuccess,
  })
