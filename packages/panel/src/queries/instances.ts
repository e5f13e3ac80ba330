import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type Api, api } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { useChange } from '@/queries/use_change'

export type Instance = components['schemas']['Instance']
export type InstanceState = components['schemas']['InstanceState']['state']
export type ProviderState = components['schemas']['SynchronisationState']
export type InstanceFields = Pick<Instance, 'name' | 'baseUrl' | 'callbackUrls' | 'postLogoutUrls'>

const ALL = '/api/applications/{appCode}/instances'
const ONE = `${ALL}/{id}` as const

export const instancesKey = (appCode: string) => ['instances', appCode]

export const useInstances = (appCode: string) =>
  useQuery({
    queryKey: instancesKey(appCode),
    queryFn: async ({ signal }) =>
      (await api.GET(ALL, { params: { path: { appCode } }, signal })).data!.data,
  })

/** Creates an instance, or changes the one with the id. */
export const saveInstance = (
  target: Api,
  appCode: string,
  id: number | null,
  body: InstanceFields
): Promise<unknown> =>
  id === null
    ? target.POST(ALL, { params: { path: { appCode } }, body })
    : target.PUT(ONE, { params: { path: { appCode, id } }, body })

/** Approves the URLs that were shown, and none that were put there since. */
export const useApproval = (appCode: string, done: () => string, onSuccess: () => void) =>
  useChange(
    (target, { id, baseUrl, callbackUrls, postLogoutUrls }: Instance) =>
      target.POST(`${ONE}/approve`, {
        params: { path: { appCode, id } },
        body: { baseUrl, callbackUrls, postLogoutUrls },
      }),
    { refresh: [instancesKey(appCode)], done, onSuccess }
  )

export const useDeleteInstance = (appCode: string, onSuccess: () => void) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { appCode, id } } }), {
    refresh: [instancesKey(appCode)],
    onSuccess,
  })

const SYNC = '/api/applications/{appCode}/idp/sync'

/** Which URLs the application's clients at the identity provider have. */
export const useProviderState = (appCode: string) =>
  useQuery({
    queryKey: [...instancesKey(appCode), 'provider'],
    queryFn: async ({ signal }) =>
      (await api.GET(SYNC, { params: { path: { appCode } }, signal })).data!.data,
  })

/**
 * Writes the approved URLs to the application's clients at the identity provider. The page says why
 * it failed.
 */
export const useSynchronisation = (appCode: string, done: (uris: number) => string) =>
  useChange(
    async (target, _: null) =>
      (await target.POST(SYNC, { params: { path: { appCode } } })).data!.data,
    {
      refresh: [instancesKey(appCode)],
      done: ({ redirectUris }) => done(redirectUris.length),
      onProblem: () => true,
    }
  )

conciergeCommand('POST', '/api/applications/:appCode/instances', ([appCode], body) => {
  const { name, baseUrl, callbackUrls, postLogoutUrls } = body as unknown as InstanceFields
  return [
    'instances',
    'create',
    appCode,
    name,
    ...option('base-url', baseUrl),
    ...callbackUrls.flatMap((url) => option('callback', url)),
    ...postLogoutUrls.flatMap((url) => option('post-logout', url)),
  ]
})
