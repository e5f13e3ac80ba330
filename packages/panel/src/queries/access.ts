import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { grantOf } from '@/queries/person_roles'
import { replaceOverride } from '@/queries/overrides'
import { useChange } from '@/queries/use_change'

export type Explanation = components['schemas']['Explanation']
export type ExplanationStep = components['schemas']['ExplanationStep']
export type AllowingChange = components['schemas']['AllowingChange']
export type EffectivePermission = components['schemas']['InternalEffectivePermission']

/** What someone asks about someone's access. */
export interface Question {
  email: string
  permission: string
  level: 'view' | 'edit' | null
  resourceType: string | null
  resourceId: string | null
}

const keyOf = (appCode: string) => ['access', appCode]

/** The answer to a question, and why. It is never cached. */
export const useExplanation = (appCode: string, question: MaybeRefOrGetter<Question>) =>
  useQuery({
    queryKey: computed(() => [...keyOf(appCode), 'explain', toValue(question)]),
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { appCode } }
      const { data } = await api.POST('/api/applications/{appCode}/access/explain', {
        params,
        body: toValue(question),
        signal,
      })
      return data!.data
    },
  })

/** Everything that someone may do, on a resource or in general. */
export const useEffectivePermissions = (
  appCode: string,
  about: MaybeRefOrGetter<Pick<Question, 'email' | 'resourceType' | 'resourceId'>>
) =>
  useQuery({
    queryKey: computed(() => [...keyOf(appCode), 'effective', toValue(about)]),
    enabled: computed(() => toValue(about).email !== ''),
    queryFn: async ({ signal }) => {
      const params = { path: { appCode } }
      const { data } = await api.POST('/api/applications/{appCode}/access/effective', {
        params,
        body: toValue(about),
        signal,
      })
      return data!.data
    },
  })

/** Which roles someone has in the application, to name those that an explanation cites. */
export const useHeldRoles = (appCode: string, email: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => ['assignments', appCode, 'roles', toValue(email)]),
    queryFn: async ({ signal }) => {
      const { data } = await api.GET('/api/applications/{appCode}/assignments', {
        params: { path: { appCode }, query: { email: toValue(email), kind: 'role' } },
        signal,
      })
      return data!.data
    },
  })

/** Makes one of the changes that would allow what was asked. */
export const useAllowingChange = (appCode: string, question: () => Question) =>
  useChange((target, change: AllowingChange) => makeChange(target, appCode, question(), change), {
    refresh: [keyOf(appCode), ['assignments', appCode], ['users']],
  })

function makeChange(
  target: Api,
  appCode: string,
  { email }: Question,
  change: AllowingChange
): Promise<unknown> {
  switch (change.kind) {
    case 'wait':
      return Promise.resolve()
    case 'activate':
      return target.PUT('/api/users/{email}/active', {
        params: { path: { email } },
        body: { active: true },
      })
    case 'administrator':
      return target.POST('/api/users/admins/apps/{appCode}', {
        params: { path: { appCode } },
        body: { email },
      })
    case 'role':
      return addRole(target, { email, appCode }, change.roleId)
    case 'override':
      return replaceOverride(target, { email, appCode, ...change })
  }
}

interface Holder {
  email: string
  appCode: string
}

const ROLES = '/api/users/{email}/apps/{appCode}/roles'

async function addRole(target: Api, path: Holder, roleId: number) {
  const { data, response } = await api.GET(ROLES, { params: { path } })
  const held = data!.data.filter((one) => one.roleId !== roleId)
  const params = { path, ...ifMatch(response.headers.get('etag')) }
  return target.PUT(ROLES, { params, body: { roles: [...held.map(grantOf), { roleId }] } })
}
