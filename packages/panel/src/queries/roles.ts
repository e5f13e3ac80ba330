import type { components, operations } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { matrixKey } from '@/queries/matrix'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type Role = components['schemas']['Role']
type Body<Operation extends { requestBody?: unknown }> = Operation extends {
  requestBody?: { content: { 'application/json': infer Content } }
}
  ? Content
  : never
export type RoleBody = Body<operations['permissions.roles.store']>

const LIST = '/api/applications/{appCode}/roles'
const ONE = '/api/applications/{appCode}/roles/{roleId}'
const ASSIGNMENTS = '/api/applications/{appCode}/assignments'

const rolesKey = (appCode: string) => ['roles', appCode]

/** What is read again after a change of a role. */
export const affectedByRoles = (appCode: string) => [
  rolesKey(appCode),
  matrixKey(appCode),
  ['permissions', appCode],
  ['assignments', appCode],
]

export function useRoles(appCode: string, search: MaybeRefOrGetter<string>) {
  const key = computed(() => [...rolesKey(appCode), 'list', toValue(search)])
  return usePagedQuery(key, (page, signal) => {
    const query = { ...page, search: toValue(search) || undefined }
    return api.GET(LIST, { params: { path: { appCode }, query }, signal })
  })
}

/** All roles of an application. */
export const useAllRoles = (appCode: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => [...rolesKey(toValue(appCode)), 'all']),
    enabled: computed(() => toValue(appCode) !== ''),
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { path: { appCode: toValue(appCode) } }
      return (await api.GET(LIST, { params, signal })).data!.data
    },
  })

/** A role, with the tag that a write needs. */
export const useRole = (appCode: string, roleId: MaybeRefOrGetter<number>) =>
  useQuery({
    queryKey: computed(() => [...rolesKey(appCode), toValue(roleId)]),
    async queryFn({ signal }) {
      const params = { path: { appCode, roleId: toValue(roleId) } }
      const { data, response } = await api.GET(ONE, { params, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

export const usePermissionsOfRole = (appCode: string, roleId: MaybeRefOrGetter<number>) =>
  useQuery({
    queryKey: computed(() => [...rolesKey(appCode), toValue(roleId), 'permissions']),
    async queryFn({ signal }) {
      const params = { path: { appCode, roleId: toValue(roleId) } }
      return (await api.GET(`${ONE}/permissions`, { params, signal })).data!.data
    },
  })

/** The people who have a role, a page at a time. */
export function usePeopleOfRole(appCode: string, roleId: MaybeRefOrGetter<number>) {
  const key = computed(() => ['assignments', appCode, 'of role', toValue(roleId)])
  return usePagedQuery(key, (page, signal) => {
    const query = { ...page, roleId: toValue(roleId) }
    return api.GET(ASSIGNMENTS, { params: { path: { appCode }, query }, signal })
  })
}

export const createRole = async (target: Api, appCode: string, body: RoleBody) =>
  (await target.POST(LIST, { params: { path: { appCode } }, body })).data?.data

export async function updateRole(
  target: Api,
  place: { appCode: string; roleId: number; etag: string | null },
  body: Partial<RoleBody>
) {
  const { etag, ...path } = place
  return (await target.PUT(ONE, { params: { path, ...ifMatch(etag) }, body })).data?.data
}

/** What a deletion would take. */
export const useRoleDeletion = (appCode: string, roleId: number) =>
  useDeletion([...rolesKey(appCode), roleId], (query) =>
    api.DELETE(ONE, { params: { path: { appCode, roleId }, query } })
  )

export const useDeleteRole = (appCode: string, done: () => string, onSuccess: () => unknown) =>
  useChange(
    (target, roleId: number) => target.DELETE(ONE, { params: { path: { appCode, roleId } } }),
    { refresh: [], done, onSuccess }
  )

conciergeCommand(
  'POST',
  '/api/applications/:appCode/roles',
  ([appCode], { code, name, description }) => [
    'roles',
    'create',
    appCode,
    String(code),
    ...option('name', name),
    ...option('description', description),
  ]
)
