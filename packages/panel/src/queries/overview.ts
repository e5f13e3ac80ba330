import { useQuery } from '@tanstack/vue-query'
import { api, totalCount } from '@/api/client'

const COUNT = { limit: 1, count: 'true' as const }

/** How much an application has of what is administered here. */
export const useCounts = (appCode: string) =>
  useQuery({
    queryKey: ['overview', appCode, 'counts'],
    async queryFn({ signal }) {
      const path = { appCode }
      const count = async (request: Promise<{ response: Response }>) =>
        totalCount((await request).response) ?? 0
      const list = { params: { path, query: COUNT }, signal }
      const assigned = (kind: 'role' | 'override' | 'administrator') =>
        count(
          api.GET('/api/applications/{appCode}/assignments', {
            params: { path, query: { ...COUNT, kind } },
            signal,
          })
        )
      const [permissions, roles, assignments, overrides, administrators, types] = await Promise.all(
        [
          count(api.GET('/api/applications/{appCode}/permissions', list)),
          count(api.GET('/api/applications/{appCode}/roles', list)),
          assigned('role'),
          assigned('override'),
          assigned('administrator'),
          count(api.GET('/api/admin/notifications/types/{appCode}', list)),
        ]
      )
      return { permissions, roles, assignments, overrides, administrators, types }
    },
  })

const SHOWN = 8

/** Who used the application last. */
export const useLatestLogins = (appCode: string) =>
  useQuery({
    queryKey: ['overview', appCode, 'logins'],
    queryFn: async ({ signal }) => {
      const params = { path: { appCode }, query: { limit: SHOWN } }
      const { data } = await api.GET('/api/applications/{appCode}/login-records', {
        params,
        signal,
      })
      return data!.data
    },
  })

/** What it sent last. */
export const useLatestMessages = (appCode: string) =>
  useQuery({
    queryKey: ['overview', appCode, 'messages'],
    queryFn: async ({ signal }) => {
      const params = { path: { appCode }, query: { limit: SHOWN } }
      const { data } = await api.GET('/api/admin/notifications/log/{appCode}', { params, signal })
      return data!.data
    },
  })
