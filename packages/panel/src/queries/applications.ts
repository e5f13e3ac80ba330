import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, type BodyOf, api, ifMatch } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type Application = components['schemas']['ShownApplication']

export type ApplicationChanges = BodyOf<'applications.applications.update'>

const ONE = '/api/applications/{appCode}'

export const applicationKey = (appCode: string) => ['application', appCode]

/** What a change of an application affects: lists, the application, and what one may do there. */
export const APPLICATIONS = [['applications'], ['application'], ['session']]

/** The applications that the person can see, a page at a time. */
export function useApplications(search: MaybeRefOrGetter<string>) {
  const key = computed(() => ['applications', { search: toValue(search) }])
  return usePagedQuery(key, (page, signal) =>
    api.GET('/api/applications', {
      params: { query: { ...page, search: toValue(search) || undefined } },
      signal,
    })
  )
}

/** An application, with the tag that a write needs. */
export const useApplication = (appCode: string) =>
  useQuery({
    queryKey: applicationKey(appCode),
    queryFn: async ({ signal }) => {
      const params = { path: { appCode } }
      const { data, response } = await api.GET(ONE, { params, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

export const updateApplication = async (
  target: Api,
  appCode: string,
  body: ApplicationChanges,
  etag: string | null
) => target.PUT(ONE, { params: { path: { appCode }, ...ifMatch(etag) }, body })

export const useDeletionPreview = (appCode: string) =>
  useDeletion(applicationKey(appCode), (query) =>
    api.DELETE(ONE, { params: { path: { appCode }, query } })
  )

export const useDeleteApplication = (appCode: string, onSuccess: () => unknown) =>
  useChange((target, _: null) => target.DELETE(ONE, { params: { path: { appCode } } }), {
    refresh: APPLICATIONS,
    isDeletion: true,
    onSuccess,
  })

/** The brands of an application, by their slugs. */
export const useApplicationBrands = (appCode: string) =>
  useQuery({
    queryKey: [...applicationKey(appCode), 'brands'],
    queryFn: async ({ signal }) =>
      (await api.GET(`${ONE}/brands`, { params: { path: { appCode } }, signal })).data!.data,
  })

export const replaceBrands = (target: Api, appCode: string, brands: string[]) =>
  target.PUT(`${ONE}/brands`, { params: { path: { appCode } }, body: { brands } })

/** The brands and languages that the platform has. */
export const useBrands = () =>
  useQuery({
    queryKey: ['brands'],
    queryFn: async ({ signal }) => (await api.GET('/api/admin/brands', { signal })).data!.data,
  })

export const useLanguages = () =>
  useQuery({
    queryKey: ['languages'],
    queryFn: async ({ signal }) => (await api.GET('/api/admin/languages', { signal })).data!.data,
  })

conciergeCommand('POST', '/api/applications', (_, { code, name, description }) => [
  'apps',
  'create',
  String(code),
  ...option('name', name),
  ...option('description', description),
])
conciergeCommand('DELETE', '/api/applications/:appCode', ([appCode]) => ['apps', 'delete', appCode])
