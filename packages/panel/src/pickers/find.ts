import { api } from '@/api/client'
import type { Option } from '@/ui/Combobox.vue'

/** How many suggestions a picker shows. */
const LIMIT = 12

/**
 * @param appCode Only people who hold something there. Without it, all of them, which not everyone
 *   may see.
 */
export async function findPeople(
  search: string,
  appCode: string | null,
  signal?: AbortSignal
): Promise<Option[]> {
  const query = { limit: LIMIT, ...(search && { search }), ...(appCode && { appCode }) }
  const { data } = await api.GET('/api/users', { params: { query }, signal })
  return data!.data.map(({ email, displayName }) => ({
    value: email,
    label: displayName || email,
    ...(displayName && { hint: email }),
  }))
}

export async function findApplications(search: string, signal?: AbortSignal): Promise<Option[]> {
  const query = { limit: LIMIT, ...(search && { search }) }
  const { data } = await api.GET('/api/applications', { params: { query }, signal })
  return data!.data.map(({ code, name }) => ({ value: code, label: name, hint: code }))
}

const inApp = (appCode: string, search: string) => ({
  path: { appCode },
  query: { limit: LIMIT, ...(search && { search }) },
})

export async function findRoles(appCode: string, search: string, signal?: AbortSignal) {
  const { data } = await api.GET('/api/applications/{appCode}/roles', {
    params: inApp(appCode, search),
    signal,
  })
  return data!.data
}

export async function findPermissions(appCode: string, search: string, signal?: AbortSignal) {
  const { data } = await api.GET('/api/applications/{appCode}/permissions', {
    params: inApp(appCode, search),
    signal,
  })
  return data!.data
}

export async function findTypes(appCode: string, search: string, signal?: AbortSignal) {
  const { data } = await api.GET('/api/admin/notifications/types/{appCode}', {
    params: inApp(appCode, search),
    signal,
  })
  return data!.data
}

export async function findTemplates(appCode: string, search: string, signal?: AbortSignal) {
  const { path, query } = inApp(appCode, search)
  const { data } = await api.GET('/api/admin/notifications/templates/{appCodeOrId}', {
    params: { path: { appCodeOrId: path.appCode }, query },
    signal,
  })
  return data!.data
}

/** A role or a permission, by its code. */
export const asOption = ({ code, name }: { code: string; name: string | null }): Option => ({
  value: code,
  label: name ?? code,
  ...(name && { hint: code }),
})
