import type { components, paths } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'
import '@/queries/people_commands'

export type Person = components['schemas']['UserResource']
export type PersonDetails =
  paths['/api/users/{email}']['get']['responses'][200]['content']['application/json']['data']

/** Below this, everything that is known about people. */
export const PEOPLE_KEY = ['users']

/** What the list of people is narrowed to. An empty text does not count. */
export interface PeopleFilter {
  search: string
  appCode: string
  /** The code of a role of the application. */
  role: string
  status: string
  sort: string
}

const STATUS = { active: 'true', inactive: 'false' } as const
const SORTS = ['email', '-createdAt', '-lastLoginAt'] as const

export function queryOf({ search, appCode, role, status, sort }: PeopleFilter) {
  const order = SORTS.find((one) => one === sort)
  const active = STATUS[status as keyof typeof STATUS]
  return {
    ...(search && { search }),
    ...(appCode && { appCode }),
    ...(appCode && role && { role }),
    ...(active && { active }),
    ...(order && { sort: order }),
  }
}

/** The people that match, a page at a time. */
export const usePeople = (filter: MaybeRefOrGetter<PeopleFilter>) =>
  usePagedQuery(
    computed(() => [...PEOPLE_KEY, 'list', queryOf(toValue(filter))]),
    (page, signal) =>
      api.GET('/api/users', {
        params: { query: { ...page, ...queryOf(toValue(filter)) } },
        signal,
      })
  )

export const usePerson = (email: MaybeRefOrGetter<string>, enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: computed(() => [...PEOPLE_KEY, 'one', toValue(email)]),
    enabled: computed(() => toValue(enabled)),
    queryFn: async ({ signal }) => {
      const params = { path: { email: toValue(email) } }
      return (await api.GET('/api/users/{email}', { params, signal })).data!.data
    },
  })

/** Logins and logouts of a person, the newest first. */
export const useLogins = (email: MaybeRefOrGetter<string>, enabled: MaybeRefOrGetter<boolean>) =>
  usePagedQuery(
    computed(() => [...PEOPLE_KEY, 'logins', toValue(email)]),
    (page, signal) =>
      api.GET('/api/users/{email}/login-records', {
        params: { path: { email: toValue(email) }, query: page },
        signal,
      }),
    enabled
  )

const at = (email: string) => ({ path: { email } })

export const useStatusChange = (email: () => string, done: (active: boolean) => string) =>
  useChange(
    async (target, active: boolean) => {
      const { data } = await target.PUT('/api/users/{email}/active', {
        params: at(email()),
        body: { active },
      })
      return data?.data.identityProvider
    },
    { refresh: [PEOPLE_KEY, ['access']], done: (_, active) => done(active) }
  )

/** What an erasure would delete. */
export const useErasurePreview = (email: () => string, enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: computed(() => ['erasure', email()]),
    enabled: computed(() => toValue(enabled)),
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { ...at(email()), query: { dryRun: 'true' as const } }
      const { data } = await api.DELETE('/api/users/{email}', { params, signal })
      return data!.data.deletes
    },
  })

export const useErasure = (email: () => string, done: () => string, onSuccess: () => unknown) =>
  useChange((target, _: null) => target.DELETE('/api/users/{email}', { params: at(email()) }), {
    refresh: [],
    done,
    onSuccess,
  })

/** Everything that is stored about a person, as a file. */
export async function exportPerson(email: string): Promise<Blob> {
  const { data } = await api.GET('/api/users/{email}/export', {
    params: at(email),
    parseAs: 'blob',
  })
  return data as unknown as Blob
}

export const useRelease = (email: () => string, done: () => string) =>
  useChange(
    (target, _: null) =>
      target.PUT('/api/users/{email}/identity', {
        params: at(email()),
        body: { idpUserId: null },
      }),
    { refresh: [PEOPLE_KEY], done }
  )

interface PreferenceChange {
  appCode: string
  notificationsEnabled: boolean
}

export const usePreferenceChange = (email: () => string, done: () => string) =>
  useChange(
    (target, { appCode, notificationsEnabled }: PreferenceChange) =>
      target.PUT('/api/users/{email}/apps/{appCode}/preferences', {
        params: { path: { email: email(), appCode } },
        body: { notificationsEnabled },
      }),
    { refresh: [PEOPLE_KEY], done }
  )
