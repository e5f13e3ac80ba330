import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { type Api, api } from '@/api/client'
import { type TimeWindow, limitsOf } from '@/api/time_window'
import { useChange } from '@/queries/use_change'
import '@/queries/people_commands'

/** Null stands for the platform, whose administrators are super admins. */
type Place = () => string | null

const SUPER = '/api/users/admins'
const OF_APP = '/api/users/admins/apps/{appCode}'

export interface Administrator extends TimeWindow {
  email: string
  createdAt: string
  state: 'active' | 'scheduled' | 'ended'
}

const keyOf = (appCode: string | null) => ['admins', appCode]

export const useAdministrators = (place: Place) =>
  useQuery({
    queryKey: computed(() => keyOf(place())),
    queryFn: async ({ signal }) => {
      const appCode = place()
      const { data } = appCode
        ? await api.GET(OF_APP, { params: { path: { appCode } }, signal })
        : await api.GET(SUPER, { signal })
      return data!.data.map(({ email, createdAt, validFrom, validUntil, state }): Administrator => {
        return { email, createdAt, validFrom, validUntil, state }
      })
    },
  })

/** The window replaces that of someone who is an administrator already. */
export const addAdministrator = (
  target: Api,
  appCode: string | null,
  { email, ...window }: { email: string } & TimeWindow
): Promise<unknown> => {
  const body = { email, ...limitsOf(window) }
  return appCode
    ? target.POST(OF_APP, { params: { path: { appCode } }, body })
    : target.POST(SUPER, { body })
}

/** What a change of administrators affects. The session may lose or gain a level. */
export const ADMINISTRATION = [['admins'], ['users'], ['assignments'], ['access'], ['session']]

async function sendRemoval(target: Api, appCode: string | null, email: string, isTrial = false) {
  const query = isTrial ? { dryRun: 'true' as const } : {}
  if (appCode) {
    await target.DELETE(`${OF_APP}/{email}`, { params: { path: { appCode, email }, query } })
  } else {
    await target.DELETE(`${SUPER}/{email}`, { params: { path: { email }, query } })
  }
  return email
}

/** Whether someone can be removed: the service refuses to remove the last super admin. */
export const useRemovalPreview = (place: Place, email: () => string) =>
  useQuery({
    queryKey: computed(() => ['removal of administrator', place(), email()]),
    staleTime: 0,
    retry: false,
    queryFn: () => sendRemoval(api, place(), email(), true),
  })

export const useRemoval = (place: Place, done: (email: string) => string) =>
  useChange((target, email: string) => sendRemoval(target, place(), email), {
    refresh: ADMINISTRATION,
    done: (_, email) => done(email),
  })
