import type { components, operations, paths } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { matrixKey } from '@/queries/matrix'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type ListedPermission = components['schemas']['ListedPermission']
export type Permission = components['schemas']['Permission']
type Body<Operation extends { requestBody?: unknown }> = Operation extends {
  requestBody?: { content: { 'application/json': infer Content } }
}
  ? Content
  : never
export type PermissionBody = Body<operations['permissions.permissions.store']>
export type PermissionChanges = Body<operations['permissions.permissions.update']>

const LIST = '/api/applications/{appCode}/permissions'
const ONE = '/api/applications/{appCode}/permissions/{permissionId}'
const ASSIGNMENTS = '/api/applications/{appCode}/assignments'

export type Assignment =
  paths[typeof ASSIGNMENTS]['get']['responses'][200]['content']['application/json']['data'][number]

export const permissionsKey = (appCode: string) => ['permissions', appCode]

/** What is read again after a change of a permission. */
export const affectedByPermissions = (appCode: string) => [
  permissionsKey(appCode),
  matrixKey(appCode),
  ['roles', appCode],
  ['assignments', appCode],
]

/** All permissions, because a tree needs parents and children together. */
export const useAllPermissions = (appCode: string) =>
  useQuery({
    queryKey: [...permissionsKey(appCode), 'all'],
    shallow: true,
    queryFn: async ({ signal }) =>
      (await api.GET(LIST, { params: { path: { appCode } }, signal })).data!.data,
  })

/** A permission, with the tag that a write needs. */
export const usePermission = (appCode: string, permissionId: MaybeRefOrGetter<number>) =>
  useQuery({
    queryKey: computed(() => [...permissionsKey(appCode), toValue(permissionId)]),
    async queryFn({ signal }) {
      const params = { path: { appCode, permissionId: toValue(permissionId) } }
      const { data, response } = await api.GET(ONE, { params, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

/** Who has a role that grants the permission, or an override on it. */
export function useHolders(appCode: string, permissionId: MaybeRefOrGetter<number>) {
  const key = computed(() => ['assignments', appCode, 'of permission', toValue(permissionId)])
  return usePagedQuery(key, (page, signal) => {
    const query = { ...page, permissionId: toValue(permissionId) }
    return api.GET(ASSIGNMENTS, { params: { path: { appCode }, query }, signal })
  })
}

export const createPermission = async (target: Api, appCode: string, body: PermissionBody) =>
  (await target.POST(LIST, { params: { path: { appCode } }, body })).data?.data

/** Changes of a permission in use that someone has agreed to. */
export interface Confirmed {
  rename: boolean
  force: boolean
}

export async function updatePermission(
  target: Api,
  place: { appCode: string; permissionId: number; etag: string | null },
  body: PermissionChanges,
  { rename, force }: Confirmed
) {
  const { etag, ...path } = place
  const query = {
    ...(rename && { rename: 'true' as const }),
    ...(force && { force: 'true' as const }),
  }
  return (await target.PUT(ONE, { params: { path, query, ...ifMatch(etag) }, body })).data?.data
}

/** What a deletion would take. */
export const usePermissionDeletion = (appCode: string, permissionId: number) =>
  useDeletion([...permissionsKey(appCode), permissionId], (query) =>
    api.DELETE(ONE, { params: { path: { appCode, permissionId }, query } })
  )

export const useDeletePermission = (
  appCode: string,
  done: () => string,
  onSuccess: () => unknown
) =>
  useChange(
    (target, permissionId: number) =>
      target.DELETE(ONE, { params: { path: { appCode, permissionId } } }),
    { refresh: [], done, onSuccess }
  )

conciergeCommand(
  'POST',
  '/api/applications/:appCode/permissions',
  ([appCode], { code, type, name, description, groupName, global, parentPermissionId }) =>
    parentPermissionId
      ? null
      : [
          'permissions',
          'create',
          appCode,
          String(code),
          '--type',
          String(type),
          ...option('name', name),
          ...option('description', description),
          ...option('group', groupName),
          ...option('global', global || null),
        ]
)
