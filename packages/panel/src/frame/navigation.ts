import { type FunctionalComponent, computed } from 'vue'
import Why from '~icons/lucide/circle-question-mark'
import Application from '~icons/lucide/app-window'
import Brands from '~icons/lucide/palette'
import Languages from '~icons/lucide/languages'
import Pools from '~icons/lucide/building-2'
import Home from '~icons/lucide/house'
import Broadcasts from '~icons/lucide/megaphone'
import Changes from '~icons/lucide/history'
import Messages from '~icons/lucide/send'
import Suppressions from '~icons/lucide/mail-x'
import Webhooks from '~icons/lucide/webhook'
import Operations from '~icons/lucide/activity'
import Matrix from '~icons/lucide/grid-3x3'
import Permissions from '~icons/lucide/key-round'
import Applications from '~icons/lucide/layout-grid'
import Overrides from '~icons/lucide/split'
import Administrators from '~icons/lucide/user-cog'
import People from '~icons/lucide/users'
import WhatIf from '~icons/lucide/flask-conical'
import Who from '~icons/lucide/user-search'
import Provider from '~icons/lucide/fingerprint'
import Sessions from '~icons/lucide/monitor-smartphone'
import Types from '~icons/lucide/bell-ring'
import Review from '~icons/lucide/clipboard-check'
import Policy from '~icons/lucide/file-code'
import Roles from '~icons/lucide/shield-check'
import { useApplicationInUrl } from '@/session/application'
import { useSession } from '@/session/session'

type Session = ReturnType<typeof useSession>

interface Destination {
  /** Key of its text. */
  label: string
  /** Key of a text, maybe with `{app}`, that tells it from another screen with the same text. */
  fullLabel?: string
  icon: FunctionalComponent
  /** Below `/`, or below the application. */
  path: string
  /** Who is offered it. The service decides who may use it. */
  isFor?: (session: Session, appCode: string | null) => boolean
}

/** Has a level on an application at least. */
const seesSome = ({ user }: Session) => (user.value?.applications.length ?? 0) > 0

/** Screens of the whole platform, in the order of the navigation. */
const OF_PLATFORM: Destination[] = [
  { label: 'frame.home', icon: Home, path: '/' },
  { label: 'frame.applications', icon: Applications, path: '/apps' },
  {
    label: 'frame.users',
    fullLabel: 'frame.usersOfAll',
    icon: People,
    path: '/people',
    isFor: ({ mayReadUsers }) => mayReadUsers.value,
  },
  {
    label: 'frame.messages',
    fullLabel: 'frame.messagesOfAll',
    icon: Messages,
    path: '/messages',
    isFor: ({ isGlobalAdmin }) => isGlobalAdmin.value,
  },
  {
    label: 'frame.suppressions',
    icon: Suppressions,
    path: '/suppressions',
    isFor: ({ isGlobalAdmin }) => isGlobalAdmin.value,
  },
  {
    label: 'frame.superAdmins',
    icon: Administrators,
    path: '/administrators',
    isFor: ({ isSuperAdmin }) => isSuperAdmin.value,
  },
  {
    label: 'frame.changes',
    fullLabel: 'frame.changesOfAll',
    icon: Changes,
    path: '/changes',
    isFor: seesSome,
  },
  { label: 'frame.brands', icon: Brands, path: '/brands', isFor: seesSome },
  { label: 'frame.languages', icon: Languages, path: '/languages', isFor: seesSome },
  { label: 'frame.pools', icon: Pools, path: '/user-pools', isFor: seesSome },
  {
    label: 'frame.provider',
    icon: Provider,
    path: '/provider',
    isFor: ({ isSuperAdmin }) => isSuperAdmin.value,
  },
  {
    label: 'frame.operations',
    icon: Operations,
    path: '/operations',
    isFor: ({ isGlobalAdmin }) => isGlobalAdmin.value,
  },
  { label: 'frame.sessions', icon: Sessions, path: '/sessions' },
]

/** Screens of one application, for whoever may see it. */
const OF_APPLICATION: Destination[] = [
  { label: 'frame.application', icon: Application, path: '' },
  { label: 'frame.roles', icon: Roles, path: '/roles' },
  { label: 'frame.permissions', icon: Permissions, path: '/permissions' },
  { label: 'frame.matrix', icon: Matrix, path: '/matrix' },
  { label: 'frame.users', fullLabel: 'frame.usersOf', icon: People, path: '/people' },
  { label: 'frame.administrators', icon: Administrators, path: '/administrators' },
  { label: 'frame.overrides', icon: Overrides, path: '/overrides' },
  { label: 'frame.types', icon: Types, path: '/types' },
  {
    label: 'frame.broadcasts',
    fullLabel: 'frame.broadcastsOf',
    icon: Broadcasts,
    path: '/broadcasts',
  },
  { label: 'frame.messages', fullLabel: 'frame.messagesOf', icon: Messages, path: '/messages' },
  {
    label: 'frame.webhooks',
    icon: Webhooks,
    path: '/webhooks',
    isFor: ({ canEdit }, appCode) => appCode !== null && canEdit(appCode),
  },
  { label: 'frame.who', icon: Who, path: '/who' },
  { label: 'frame.why', icon: Why, path: '/why' },
  {
    label: 'frame.whatIf',
    icon: WhatIf,
    path: '/what-if',
    isFor: ({ canEdit }, appCode) => appCode !== null && canEdit(appCode),
  },
  { label: 'frame.review', icon: Review, path: '/review' },
  { label: 'frame.policy', icon: Policy, path: '/policy' },
  { label: 'frame.changes', fullLabel: 'frame.changesOf', icon: Changes, path: '/changes' },
]

export interface Link {
  label: string
  fullLabel?: string
  icon: FunctionalComponent
  to: string
}

/** What the navigation and the palette offer the person who is signed in. */
export function useNavigation() {
  const session = useSession()
  const appCode = useApplicationInUrl()
  const offered = (list: Destination[], base: string) =>
    list
      .filter(({ isFor }) => isFor?.(session, appCode.value) ?? true)
      .map(({ path, isFor: _, ...link }): Link => ({ ...link, to: base + path }))
  return {
    ofPlatform: computed(() => offered(OF_PLATFORM, '')),
    ofApplication: computed(() =>
      appCode.value ? offered(OF_APPLICATION, `/apps/${encodeURIComponent(appCode.value)}`) : []
    ),
  }
}
