import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api, totalCount } from '@/api/client'

const COUNT = { limit: 1, count: 'true' as const }
/** As far back as the activity goes. */
const DAYS = 90

/** What an application has of what a first right needs, and whether rights are used anywhere. */
export const useFirstSteps = (appCode: MaybeRefOrGetter<string | null>) =>
  useQuery({
    queryKey: computed(() => ['overview', toValue(appCode), 'first steps']),
    enabled: computed(() => toValue(appCode) !== null),
    async queryFn({ signal }) {
      const path = { appCode: toValue(appCode)! }
      const list = { params: { path, query: COUNT }, signal }
      const hasAny = async (request: Promise<{ response: Response }>) =>
        (totalCount((await request).response) ?? 0) > 0
      const [permissions, role, assignment, activity] = await Promise.all([
        api.GET('/api/applications/{appCode}/permissions', list),
        hasAny(api.GET('/api/applications/{appCode}/roles', list)),
        hasAny(
          api.GET('/api/applications/{appCode}/assignments', {
            params: { path, query: { ...COUNT, kind: 'role' } },
            signal,
          })
        ),
        api.GET('/api/admin/activity', { params: { query: { days: DAYS } }, signal }),
      ])
      const permissionCode = permissions.data!.data[0]?.code ?? null
      const days = activity.data!.data
      return {
        permissionCode,
        permission: permissionCode !== null,
        role,
        assignment,
        check: days.some(({ checks }) => checks > 0),
        message: days.some(({ deliveries }) => deliveries > 0),
      }
    },
  })
