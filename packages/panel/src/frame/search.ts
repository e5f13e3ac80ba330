import { useQuery } from '@tanstack/vue-query'
import { type Ref, computed } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import { type Translate, useActions } from '@/frame/actions'
import { useNavigation } from '@/frame/navigation'
import { paths } from '@/frame/paths'
import { findPeople, findPermissions, findRoles, findTemplates } from '@/pickers/find'
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
/** Beyond it, someone says in which application to search. */
const MOST_SEARCHED = 3

/** Without accents, so that they need not be typed. */
const plain = (value: string) => value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * What the palette finds: screens and applications at once; people, and roles, permissions and
 * templates of an application from the service. `crm clerk` searches in `crm`; otherwise the URL
 * says where, or it searches in all applications if someone has only a few.
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
    if (named) return { appCodes: [first.toLowerCase()], wanted: rest.join(' ') }
    const all = session.applications.value.map(({ appCode }) => appCode)
    const few = all.length > MOST_SEARCHED ? [] : all
    return { appCodes: current.value ? [current.value] : few, wanted: settled.value.trim() }
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

interface Question {
  appCodes: string[]
  wanted: string
}

async function searchService(
  { appCodes, wanted }: Question,
  mayReadUsers: boolean,
  signal: AbortSignal
): Promise<HitGroup[]> {
  const [people, ...found] = await Promise.all([
    peopleIn(mayReadUsers ? [null] : appCodes, wanted, signal),
    ...appCodes.map((appCode) => searchApplication(appCode, wanted, signal)),
  ])
  const ofAll = (kind: 'roles' | 'permissions' | 'templates') => found.flatMap((one) => one[kind])
  return [
    { title: 'frame.users', hits: people },
    { title: 'frame.roles', hits: ofAll('roles') },
    { title: 'frame.permissions', hits: ofAll('permissions') },
    { title: 'frame.templates', hits: ofAll('templates') },
  ]
}

/** Each person once, whatever they have in how many applications. */
async function peopleIn(scopes: (string | null)[], wanted: string, signal: AbortSignal) {
  const found = await Promise.all(scopes.map((scope) => findPeople(wanted, scope, signal)))
  const byEmail = new Map(found.flat().map((person) => [person.value, person]))
  return [...byEmail.values()].map(({ value, label, hint }): Hit => ({
    label,
    hint,
    to: paths.person(value),
  }))
}

async function searchApplication(appCode: string, wanted: string, signal: AbortSignal) {
  const [roles, permissions, templates] = await Promise.all([
    findRoles(appCode, wanted, signal),
    findPermissions(appCode, wanted, signal),
    findTemplates(appCode, wanted, signal),
  ])
  const hitOf = (one: { code: string; name: string | null }, to: RouteLocationRaw): Hit => ({
    label: one.name ?? one.code,
    hint: `${appCode} · ${one.code}`,
    to,
  })
  return {
    roles: roles.map((one) => hitOf(one, paths.role(appCode, one.id))),
    permissions: permissions.map((one) => hitOf(one, paths.permission(appCode, one.id))),
    templates: templates.map(({ id, key, name, type }): Hit => ({
      label: name,
      hint: `${appCode} · ${type} / ${key}`,
      to: paths.template(appCode, type, id),
    })),
  }
}
