import type { components } from '@concierge/client'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { templatesKey } from '@/queries/templates'
import { useChange } from '@/queries/use_change'

export type TemplateVersion = components['schemas']['TemplateVersion']
/** A version, with the tag that a write needs. */
export type TaggedVersion = TemplateVersion & { etag: string | null }
export type ListedRevision = components['schemas']['ListedRevision']
export type TemplatePreview = components['schemas']['Preview']
export type TemplateWarning = components['schemas']['TemplateWarning']

/** Where the texts of a language are. */
export interface VersionPlace {
  /** Of the template. */
  id: number
  locale: string
}
export interface Texts {
  subject: string
  body: string
}

const ALL = '/api/admin/notifications/templates/{id}/locales'
const ONE = `${ALL}/{locale}` as const

export const versionsKey = (id: number) => ['template versions', id]

/** The texts of a template in all its languages. */
export const useVersions = (id: MaybeRefOrGetter<number>) =>
  useQuery({
    queryKey: computed(() => [...versionsKey(toValue(id)), 'all']),
    queryFn: async ({ signal }) =>
      (await api.GET(ALL, { params: { path: { id: toValue(id) } }, signal })).data!.data,
  })

export const useVersion = (place: VersionPlace, enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: [...versionsKey(place.id), place.locale],
    enabled: computed(() => toValue(enabled)),
    async queryFn({ signal }): Promise<TaggedVersion> {
      const { data, response } = await api.GET(ONE, { params: { path: { ...place } }, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

export const publish = (
  target: Api,
  place: VersionPlace,
  { subject, body }: Texts,
  etag: string | null
) =>
  target.PUT(ONE, {
    params: { path: { ...place }, ...ifMatch(etag) },
    body: { subjectTemplate: subject, bodyTemplate: body },
  })

export const useDeleteVersion = (
  appCode: string,
  id: number,
  done: () => string,
  onSuccess: () => unknown
) =>
  useChange(
    (target, place: VersionPlace) => target.DELETE(ONE, { params: { path: { ...place } } }),
    {
      refresh: [[...versionsKey(id), 'all'], templatesKey(appCode)],
      isDeletion: true,
      done,
      onSuccess,
    }
  )

/** What the texts look like with some data. Nothing is stored. */
export const usePreview = (
  place: VersionPlace,
  draft: MaybeRefOrGetter<Texts & { data: Record<string, unknown> }>,
  enabled: MaybeRefOrGetter<boolean>
) =>
  useQuery({
    queryKey: computed(() => ['template preview', place, toValue(draft)]),
    enabled: computed(() => toValue(enabled)),
    staleTime: 60_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    async queryFn({ signal }): Promise<TemplatePreview> {
      const params = { path: { ...place } }
      const { data } = await api.POST(`${ONE}/preview`, { params, body: toValue(draft), signal })
      return data!.data
    },
  })

/** Sends what is published to whoever asks for it. */
export const sendTest = async (target: Api, place: VersionPlace, data: Record<string, unknown>) => {
  const params = { path: { ...place } }
  return (await target.POST(`${ONE}/test`, { params, body: { data } })).data?.data
}

export const useHistory = (place: VersionPlace) =>
  usePagedQuery([...versionsKey(place.id), place.locale, 'history'], (query, signal) =>
    api.GET(`${ONE}/history`, { params: { path: { ...place }, query }, signal })
  )

/** The texts of a revision, which never change. */
export const useRevision = (place: VersionPlace, revision: MaybeRefOrGetter<number | null>) =>
  useQuery({
    queryKey: computed(() => ['template revision', place, toValue(revision)]),
    enabled: computed(() => toValue(revision) !== null),
    staleTime: Infinity,
    async queryFn({ signal }): Promise<Texts> {
      const params = { path: { ...place, revision: toValue(revision)! } }
      const { data } = await api.GET(`${ONE}/history/{revision}`, { params, signal })
      const { subjectTemplate: subject, bodyTemplate: body } = data!.data
      return { subject, body }
    },
  })

export const useRestore = (
  appCode: string,
  place: VersionPlace,
  done: (revision: number) => string,
  onSuccess: () => unknown
) =>
  useChange(
    (target, revision: number) =>
      target.POST(`${ONE}/restore`, { params: { path: { ...place } }, body: { revision } }),
    {
      refresh: [versionsKey(place.id), templatesKey(appCode)],
      done: (_, revision) => done(revision),
      onSuccess,
    }
  )

/** How many of the last messages are looked through. */
const LAST = 50

/** The data of the last message that used a template; null if there is none. */
export async function lastDataOf(appCode: string, type: string, templateKey: string) {
  const query = { type, limit: LAST }
  const { data } = await api.GET('/api/admin/notifications/log/{appCode}', {
    params: { path: { appCode }, query },
  })
  const last = data!.data.find((one) => one.template === templateKey)
  if (!last) return null
  const params = { path: { appCode, id: last.id } }
  return (await api.GET('/api/admin/notifications/log/{appCode}/{id}', { params })).data!.data
    .payload
}
