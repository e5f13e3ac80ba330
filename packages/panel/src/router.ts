import { type RouteRecordRaw, createRouter, createWebHistory } from 'vue-router'
import { ofAccess } from '@/access_routes'
import { isUnreachable } from '@/frame/reachable'
import { loadTexts } from '@/i18n'
import { ofBroadcasts } from '@/pages/broadcasts/routes'
import { ofProvider } from '@/pages/provider/routes'

/** Below an application, such as `/apps/crm/roles`. */
const ofApplication: RouteRecordRaw[] = [
  {
    path: '',
    component: () => import('@/pages/applications/OverviewPage.vue'),
    meta: { texts: ['activity', 'application', 'messages', 'overview'] },
  },
  {
    path: '/settings',
    component: () => import('@/pages/applications/settings/SettingsPage.vue'),
    meta: { texts: ['application', 'applications', 'deletion'] },
  },
  {
    path: '/instances',
    component: () => import('@/pages/applications/instances/InstancesPage.vue'),
    meta: { texts: ['application', 'instances'] },
  },
  {
    path: '/entities',
    component: () => import('@/pages/applications/entities/EntitiesPage.vue'),
    meta: { texts: ['application', 'deletion', 'entities'] },
  },
  {
    path: '/entities/:entityId(\\d+)/resources',
    component: () => import('@/pages/applications/resources/ResourcesPage.vue'),
    meta: { texts: ['application', 'resources'] },
  },
  {
    path: '/keys',
    component: () => import('@/pages/applications/keys/KeysPage.vue'),
    meta: { texts: ['application', 'keys'] },
  },
  {
    path: '/webhooks',
    component: () => import('@/pages/webhooks/WebhooksPage.vue'),
    meta: { texts: ['webhooks'] },
  },
  {
    path: '/webhooks/:webhookId(\\d+)',
    component: () => import('@/pages/webhooks/WebhookPage.vue'),
    meta: { texts: ['deletion', 'webhooks'] },
  },
  {
    path: '/administrators',
    component: () => import('@/pages/administrators/AdministratorsPage.vue'),
    meta: { texts: ['administrators'] },
  },
  {
    path: '/people',
    component: () => import('@/pages/people/AppPeoplePage.vue'),
    meta: { texts: ['people'] },
  },
  {
    path: '/overrides',
    component: () => import('@/pages/overrides/OverridesPage.vue'),
    meta: { texts: ['overrides'] },
  },
  {
    path: '/permissions',
    component: () => import('@/pages/permissions/PermissionsPage.vue'),
    meta: { texts: ['permissions'] },
  },
  {
    path: '/permissions/:permissionId(\\d+)',
    component: () => import('@/pages/permissions/PermissionPage.vue'),
    meta: { texts: ['permissions', 'deletion', 'matrix'] },
  },
  {
    path: '/roles',
    component: () => import('@/pages/roles/RolesPage.vue'),
    meta: { texts: ['roles'] },
  },
  {
    path: '/roles/:roleId(\\d+)',
    component: () => import('@/pages/roles/RolePage.vue'),
    meta: { texts: ['roles', 'deletion', 'matrix', 'people'] },
  },
  {
    path: '/types',
    component: () => import('@/pages/types/NotificationTypesPage.vue'),
    meta: { texts: ['types'] },
  },
  {
    path: '/types/:type',
    component: () => import('@/pages/types/NotificationTypePage.vue'),
    meta: { texts: ['types', 'deletion'] },
  },
  {
    path: '/types/:type/templates/:templateId(\\d+)',
    component: () => import('@/pages/templates/TemplatePage.vue'),
    meta: { texts: ['types', 'templates', 'deletion'] },
  },
  ...ofBroadcasts,
  {
    path: '/changes',
    component: () => import('@/pages/changes/ChangesPage.vue'),
    meta: { texts: ['changes'] },
  },
  {
    path: '/messages',
    component: () => import('@/pages/messages/MessagesPage.vue'),
    meta: { texts: ['messages'] },
  },
  {
    path: '/messages/days',
    component: () => import('@/pages/messages/DaysPage.vue'),
    meta: { texts: ['messages'] },
  },
  {
    path: '/messages/:messageId(\\d+)',
    component: () => import('@/pages/messages/MessagePage.vue'),
    meta: { texts: ['messages'] },
  },
  {
    path: '/matrix',
    component: () => import('@/pages/matrix/MatrixPage.vue'),
    meta: { texts: ['matrix'] },
  },
  ...ofAccess,
]

/** Below a person, such as `/people/alan@acme.example/access`. */
const ofPerson: RouteRecordRaw[] = [
  {
    path: '',
    component: () => import('@/pages/people/PersonOverview.vue'),
    meta: { texts: ['people', 'why', 'deletion'] },
  },
  {
    path: '/access',
    component: () => import('@/pages/people/PersonAccess.vue'),
    meta: { texts: ['people', 'why'] },
  },
  {
    path: '/logins',
    component: () => import('@/pages/people/PersonLogins.vue'),
    meta: { texts: ['people', 'why'] },
  },
  {
    path: '/messages',
    component: () => import('@/pages/people/PersonMessages.vue'),
    meta: { texts: ['people', 'why', 'messages'] },
  },
  {
    path: '/changes',
    component: () => import('@/pages/people/PersonChanges.vue'),
    meta: { texts: ['people', 'why', 'changes'] },
  },
]

export const routes: RouteRecordRaw[] = [
  {
    path: '/',
    component: () => import('@/pages/home/HomePage.vue'),
    meta: { texts: ['activity', 'applications', 'home'] },
  },
  {
    path: '/apps',
    component: () => import('@/pages/applications/ApplicationsPage.vue'),
    meta: { texts: ['applications'] },
  },
  ...ofApplication.map((route) => ({ ...route, path: `/apps/:appCode${route.path}` })),
  {
    path: '/administrators',
    component: () => import('@/pages/administrators/AdministratorsPage.vue'),
    meta: { texts: ['administrators'] },
  },
  {
    path: '/people',
    component: () => import('@/pages/people/PeoplePage.vue'),
    meta: { texts: ['people'] },
  },
  ...ofPerson.map((route) => ({ ...route, path: `/people/:email${route.path}` })),
  {
    path: '/changes',
    component: () => import('@/pages/changes/ChangesPage.vue'),
    meta: { texts: ['changes'] },
  },
  {
    path: '/messages',
    component: () => import('@/pages/messages/MessagesPage.vue'),
    meta: { texts: ['messages'] },
  },
  {
    path: '/suppressions',
    component: () => import('@/pages/suppressions/SuppressionsPage.vue'),
    meta: { texts: ['suppressions'] },
  },
  {
    path: '/suppressions/bounces',
    component: () => import('@/pages/suppressions/BouncesPage.vue'),
    meta: { texts: ['suppressions'] },
  },
  ...ofProvider.map((route) => ({ ...route, path: `/provider${route.path}` })),
  {
    path: '/operations',
    component: () => import('@/pages/operations/OperationsPage.vue'),
    meta: { texts: ['operations'] },
  },
  {
    path: '/brands',
    component: () => import('@/pages/brands/BrandsPage.vue'),
    meta: { texts: ['brands'] },
  },
  {
    path: '/brands/:brandId(\\d+)',
    component: () => import('@/pages/brands/BrandPage.vue'),
    meta: { texts: ['brands', 'deletion'] },
  },
  {
    path: '/languages',
    component: () => import('@/pages/languages/LanguagesPage.vue'),
    meta: { texts: ['languages', 'deletion'] },
  },
  {
    path: '/user-pools',
    component: () => import('@/pages/pools/UserPoolsPage.vue'),
    meta: { texts: ['pools', 'deletion'] },
  },
  {
    path: '/sessions',
    component: () => import('@/pages/sessions/SessionsPage.vue'),
    meta: { texts: ['sessions'] },
  },
  { path: '/:path(.*)*', component: () => import('@/pages/NotFoundPage.vue') },
]

export const router = createRouter({ history: createWebHistory('/panel/'), routes })

router.beforeResolve((to) => loadTexts(to.meta.texts ?? []))

// A new version of the panel has other file names, so pages of this one may be gone. Without the
// service, this page is all there is.
router.onError(async (error, to) => {
  if (!/dynamically imported module/i.test(String(error))) return
  const isThere = await fetch('/panel/theme.js', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false
  )
  if (isThere) location.assign(`/panel${to.fullPath}`)
  else isUnreachable.value = true
})
router.afterEach((_to, _from, failure) => {
  if (!failure) isUnreachable.value = false
})
