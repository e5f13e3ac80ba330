import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import type { TimeWindow } from '@/api/time_window'
import { usePagedQuery } from '@/api/paged'

export type Override = components['schemas']['Override']
export type AccessLevel = NonNullable<Override['accessLevel']>

/** What an override says; without one, the roles decide. */
export type Choice = 'unset' | 'deny' | AccessLevel

/** Whose overrides, on which resource; empty texts do not narrow. */
export interface About {
  email: string
  resourceType: string
  resourceId: string
}

export interface OverrideFilters extends About {
  /** In how many days at most it ends. */
  endsWithinDays: number | null
}

const keyOf = (appCode: string) => ['assignments', appCode, 'overrides']

/** The overrides of an application, a page at a time. Empty filters do not filter. */
export function useOverrides(appCode: string, filters: MaybeRefOrGetter<OverrideFilters>) {
  const key = computed(() => [...keyOf(appCode), toValue(filters)])
  return usePagedQuery(key, async (page, signal) => {
    const { email, resourceType, resourceId, endsWithinDays } = toValue(filters)
    const query = {
      ...page,
      kind: 'override' as const,
      ...(email && { email }),
      ...(resourceType && { resourceType }),
      ...(resourceId && { resourceId }),
      ...(endsWithinDays && { endsWithinDays }),
    }
    const params = { path: { appCode }, query }
    const { data, response } = await api.GET('/api/applications/{appCode}/assignments', {
      params,
      signal,
    })
    const rows = data!.data.filter((row) => row.kind === 'override')
    return { data: { data: rows }, response }
  })
}

/** Someone on one resource. */
export interface Place {
  email: string
  appCode: string
  resourceType: string
  resourceId: string
}

const OF_RESOURCE =
  '/api/users/{email}/apps/{appCode}/resources/{resourceType}/{resourceId}/permissions'

export async function fetchOverrides(path: Place, signal?: AbortSignal) {
  const { data, response } = await api.GET(OF_RESOURCE, { params: { path }, signal })
  return { overrides: data!.data, etag: response.headers.get('etag') }
}

/** The overrides of someone on one resource, with the tag that a write needs. */
export const useOverridesOn = (place: Place) =>
  useQuery({
    queryKey: [...keyOf(place.appCode), place],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => fetchOverrides(place, signal),
  })

/** `allowed` is the full level, whatever the type of the permission. */
export const choiceOf = (override: Pick<Override, 'granted' | 'accessLevel'>): Choice =>
  override.granted ? (override.accessLevel ?? 'allowed') : 'deny'

/** An override as a write takes it. */
export interface OverrideBody extends Partial<TimeWindow> {
  permissionId: number
  granted: boolean
  accessLevel?: 'view' | 'edit'
  condition?: string | null
}

/** An override as it is stored, with its condition and its time window. */
export function toBody(held: Override): OverrideBody {
  const { permissionId, granted, condition, validFrom, validUntil } = held
  return { permissionId, granted, ...levelOf(choiceOf(held)), condition, validFrom, validUntil }
}

/** Only grants of tiered permissions have a level. */
export const levelOf = (choice: Choice) =>
  choice === 'view' || choice === 'edit' ? { accessLevel: choice } : {}

/** Replaces all overrides of someone on one resource. */
export function saveOverrides(
  target: Api,
  path: Place,
  permissions: OverrideBody[],
  etag: string | null
) {
  const params = { path, ...ifMatch(etag) }
  return target.PUT(OF_RESOURCE, { params, body: { permissions } })
}

/** Sets one override and leaves the others. */
export async function replaceOverride(
  target: Api,
  change: Place & {
    permissionId: number
    change: 'grant' | 'remove'
    accessLevel: AccessLevel | null
  }
) {
  const { email, appCode, resourceType, resourceId, permissionId } = change
  const place = { email, appCode, resourceType, resourceId }
  const { overrides, etag } = await fetchOverrides(place)
  const others = overrides.filter((held) => held.permissionId !== permissionId).map(toBody)
  if (change.change === 'remove') return saveOverrides(target, place, others, etag)
  const granted = { permissionId, granted: true, ...levelOf(change.accessLevel ?? 'allowed') }
  return saveOverrides(target, place, [...others, granted], etag)
}
