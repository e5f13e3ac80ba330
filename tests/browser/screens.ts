import { inPath } from '#tests/helpers/management'
import type { Scene } from '#tests/helpers/panel_scenes'

/** A page of the panel. The tests in `screens/` are made from the list of them. */
export interface Screen {
  /** As in `packages/panel/src/routes`. */
  route: string
  /** Its `h1` in English, unless it names something of the scene. */
  heading?: string
  /** Its address, if it is not the route with the scene's parameters. */
  path?: (scene: Scene) => string
  /**
   * Its address where there is nothing to show, if it is not its usual one in the empty scene; null
   * if there is always something.
   */
  empty?: ((scene: Scene) => string) | null
  /** What it may load in addition to the start page, in kB; otherwise 60. */
  kilobytes?: number
  /** Whether it asks the API for nothing, so that it has neither an empty state nor errors. */
  isStatic?: boolean
}

export const SCREENS: Screen[] = [
  { route: '/', heading: 'Home', empty: null },
  { route: '/apps', heading: 'Applications', empty: () => '/apps?search=nothing' },
  { route: '/apps/:appCode' },
  { route: '/apps/:appCode/settings', empty: null },
  { route: '/apps/:appCode/instances' },
  { route: '/apps/:appCode/entities' },
  { route: '/apps/:appCode/entities/:entityId(\\d+)/resources', empty: null },
  { route: '/apps/:appCode/keys' },
  {
    route: '/apps/:appCode/why',
    heading: 'Why?',
    path: ({ appCode, email }) =>
      `/apps/${appCode}/why?email=${inPath(email)}&permission=permission.1`,
    empty: ({ appCode }) => `/apps/${appCode}/why`,
  },
  {
    route: '/apps/:appCode/who',
    heading: 'Who can?',
    path: ({ appCode }) => `/apps/${appCode}/who?permission=permission.1`,
    empty: ({ appCode }) => `/apps/${appCode}/who`,
  },
  {
    route: '/apps/:appCode/review',
    heading: 'Access review',
    empty: ({ appCode }) => `/apps/${appCode}/review?source=override`,
  },
  {
    route: '/apps/:appCode/what-if',
    heading: 'What if?',
    path: ({ appCode, email }) =>
      `/apps/${appCode}/what-if?changes=${encodeURIComponent(`[["addAdministrator","${email}"]]`)}`,
    empty: ({ appCode }) => `/apps/${appCode}/what-if`,
  },
  {
    route: '/apps/:appCode/policy',
    heading: 'Policy',
    path: ({ appCode }) => `/apps/${appCode}/policy?open=1`,
    empty: ({ appCode }) => `/apps/${appCode}/policy?open=1`,
    kilobytes: 180,
  },
  { route: '/apps/:appCode/overrides', heading: 'Overrides' },
  { route: '/apps/:appCode/roles', heading: 'Roles' },
  { route: '/apps/:appCode/roles/:roleId(\\d+)', empty: null },
  { route: '/apps/:appCode/permissions', heading: 'Permissions' },
  { route: '/apps/:appCode/permissions/:permissionId(\\d+)', empty: null },
  { route: '/apps/:appCode/matrix', heading: 'Matrix' },
  { route: '/apps/:appCode/types', heading: 'Notification types' },
  { route: '/apps/:appCode/types/:type', empty: null },
  {
    route: '/apps/:appCode/types/:type/templates/:templateId(\\d+)',
    empty: null,
    kilobytes: 180,
  },
  { route: '/apps/:appCode/changes', heading: 'Changes' },
  { route: '/apps/:appCode/broadcasts', heading: 'Broadcasts' },
  { route: '/apps/:appCode/broadcasts/new', heading: 'New broadcast', isStatic: true },
  { route: '/apps/:appCode/broadcasts/:broadcastId(\\d+)', empty: null },
  { route: '/apps/:appCode/messages', heading: 'Messages' },
  { route: '/apps/:appCode/messages/days', heading: 'Messages per day' },
  { route: '/apps/:appCode/messages/:messageId(\\d+)', empty: null },
  { route: '/apps/:appCode/people' },
  { route: '/apps/:appCode/administrators', heading: 'Administrators' },
  { route: '/people', heading: 'People', empty: () => '/people?search=nothing' },
  { route: '/people/:email' },
  {
    route: '/people/:email/access',
    path: ({ appCode, email }) => `/people/${inPath(email)}/access?app=${appCode}`,
  },
  { route: '/people/:email/logins' },
  { route: '/people/:email/messages' },
  { route: '/people/:email/changes' },
  { route: '/administrators', heading: 'Super admins', empty: null },
  {
    route: '/changes',
    heading: 'Changes',
    empty: () => '/changes?actor=nobody@nowhere.example',
  },
  { route: '/apps/:appCode/webhooks', heading: 'Webhooks' },
  { route: '/apps/:appCode/webhooks/:webhookId(\\d+)', empty: null },
  {
    route: '/suppressions',
    heading: 'Suppressions',
    empty: () => '/suppressions?email=nobody@nowhere.example',
  },
  {
    route: '/suppressions/bounces',
    heading: 'Bounces',
    empty: () => '/suppressions/bounces?email=nobody@nowhere.example',
  },
  {
    route: '/messages',
    heading: 'Messages',
    empty: () => '/messages?recipient=nobody@nowhere.example',
  },
  { route: '/brands', heading: 'Brands', empty: null },
  { route: '/brands/:brandId(\\d+)', empty: null },
  { route: '/languages', heading: 'Languages', empty: null },
  { route: '/user-pools', heading: 'User pools', empty: null },
  { route: '/provider', heading: 'Identity provider', empty: null },
  { route: '/provider/setup', heading: 'System mails', empty: null },
  { route: '/provider/organisations', heading: 'Organisations' },
  {
    route: '/provider/organisations/:orgId',
    path: () => '/provider/organisations/300000000000000001',
    empty: null,
  },
  { route: '/provider/reconciliations', heading: 'Reconciliation' },
  {
    route: '/provider/guide/:step(connect|mails|brands|test-mail|sign-in)?',
    heading: 'Guide',
    path: () => '/provider/guide/connect',
    empty: null,
  },
  { route: '/operations', heading: 'Operations', empty: null },
  { route: '/sessions', heading: 'Your sessions', empty: null },
  {
    route: '/:path(.*)*',
    heading: 'This does not exist',
    path: () => '/nowhere',
    isStatic: true,
  },
]

/** The address of a screen below `/panel`. */
export function pathOf(screen: Screen, scene: Scene): string {
  if (screen.path) return screen.path(scene)
  return screen.route.replaceAll(/:(\w+)(?:\([^)]*\))?/g, (_, name: keyof Scene) => {
    if (!(name in scene)) throw new Error(`No scene has ${name}, which ${screen.route} needs`)
    return encodeURIComponent(scene[name])
  })
}

export const emptyPathOf = (screen: Screen, scene: Scene) =>
  screen.empty ? screen.empty(scene) : pathOf(screen, scene)

export const titleOf = ({ route, heading }: Screen) => heading ?? route
