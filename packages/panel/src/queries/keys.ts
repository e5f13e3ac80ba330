import { useQuery } from '@tanstack/vue-query'
import { type Api, api } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { useChange } from '@/queries/use_change'

const ALL = '/api/applications/{appCode}/keys'

export const keysKey = (appCode: string) => ['keys', appCode]

export const useKeys = (appCode: string) =>
  useQuery({
    queryKey: keysKey(appCode),
    queryFn: async ({ signal }) =>
      (await api.GET(ALL, { params: { path: { appCode } }, signal })).data!.data,
  })

export const createKey = (
  target: Api,
  appCode: string,
  body: { name: string; expiresAt: string | null }
) => target.POST(ALL, { params: { path: { appCode } }, body })

export const useRevokeKey = (
  appCode: string,
  options: { done: () => string; onSuccess: () => void }
) =>
  useChange(
    (target, id: number) => target.DELETE(`${ALL}/{id}`, { params: { path: { appCode, id } } }),
    { refresh: [keysKey(appCode)], ...options }
  )

conciergeCommand('POST', '/api/applications/:appCode/keys', ([appCode], { name, expiresAt }) => [
  'keys',
  'create',
  appCode,
  String(name),
  ...option('expires', expiresAt),
])
