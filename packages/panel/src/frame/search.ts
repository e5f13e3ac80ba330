import { useQuery } from '@tanstack/vue-query'
import { type Ref, computed } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import { type Translate, useActions } from '@/frame/actions'
import { useNavigation } from '@/frame/navigation'
import { paths } from '@/frame/paths'
import { findPeople, findPermissions, findRoles } from '@/pickers/find'
import { useApplicationInUrl } from '@/session/application'
import { useSession } from '@/session/session'

/** Something to go to, or to do. */
export type Hit = { label: string; hint?: string } & (
  { to: RouteLocationRaw; run?: undefined } | { run: () => void; to?: undefined }
)

export interface HitGroup {
  /** Key of its text. */
  title: string
  hits: Hit[]
}

const MIN_LENGTH = 2
const MOST_APPLICATIONS = 6

/** Without accents, so that they need not be typed. */
const plain = (value: string) => value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * What the palette finds: screens and applications at once; people, roles and permissions of one
 * application from the service. `crm clerk` searches in `crm`, otherwise the URL says where.
 *
 * @param text what was typed
 * @param settled the same, once nothing was typed for a moment
 */
export function useSearch(text: Ref<string>, settled: Ref<string>, t: Translate) {
  const session = useSession()
  const navigation = useNavigation()
  const current = useApplicationInUrl()
  const codes = computed(() => session.user.value?.applications.map((one) => one.appCode) ?? [])

  const screens = computed(() =>
    [...navigation.ofApplication.value, ...navigation.ofPlatform.value]
      .map(({ label, fullLabel, to }): Hit => ({
        label: t(fullLabel ?? label, { app: current.value }),
        to,
      }))
      .filter(({ label }) => plain(label).includes(plain(text.value)))
  )
  const applications = computed(() =>
    codes.value
      .filter((code) => code.includes(plain(text.value)))
      .slice(0, MOST_APPLICATIONS)
      .map((code): Hit => ({ label: code, to: paths.application(code) }))
  )
  const actions = useActions(t)
  const offered = computed(() =>
    [...actions.creations.value, ...(text.value.trim() ? actions.settings.value : [])].filter(
      ({ label }) => plain(label).includes(plain(text.value.trim()))
    )
  )
  const question = computed(() => {
    const [first = '', ...rest] = settled.value.trim().split(/\s+/)
    const named = codes.value.includes(first.toLowerCase()) && rest.length > 0
    return named
      ? { appCode: first.toLowerCase(), wanted: rest.join(' ') }
      : { appCode: current.value, wanted: settled.value.trim() }
  })

  const found = useQuery({
    queryKey: computed(() => ['palette', question.value]),
    enabled: computed(() => question.value.wanted.length >= MIN_LENGTH),
    retry: false,
    queryFn: ({ signal }) => searchService(question.value, session.mayReadUsers.value, signal),
  })

  return {
    isSearching: found.isFetching,
    groups: computed(() => {
      const isAsked = text.value.trim().length >= MIN_LENGTH
      const all: HitGroup[] = [
        { title: 'frame.goTo', hits: screens.value },
        { title: 'frame.applications', hits: applications.value },
        { title: 'frame.actions', hits: offered.value },
        ...(isAsked ? (found.data.value ?? []) : []),
      ]
      return all.filter(({ hits }) => hits.length > 0)
    }),
  }
}

async function searchService(
  { appCode, wanted }: { appCode: string | null; wanted: string },
  mayReadUsers: boolean,
  signal: AbortSignal
): Promise<HitGroup[]> {
  const scope = mayReadUsers ? null : appCode
  const [people, roles, permissions] = await Promise.all([
    mayReadUsers || appCode ? findPeople(wanted, scope, signal) : [],
    appCode ? findRoles(appCode, wanted, signal) : [],
    appCode ? findPermissions(appCode, wanted, signal) : [],
  ])
  return [
    {
      title: 'frame.users',
      hits: people.map(({ value, label, hint }) => ({ label, hint, to: paths.person(value) })),
    },
    {
      title: 'frame.roles',
      hits: roles.map(({ id, code, name }) => ({
        label: name ?? code,
        hint: code,
        to: paths.role(appCode!, id),
      })),
    },
    {
      title: 'frame.permissions',
      hits: permissions.map(({ id, code, name }) => ({
        label: name ?? code,
        hint: code,
        to: paths.permission(appCode!, id),
      })),
    },
  ]
}
