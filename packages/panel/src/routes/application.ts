import type { RouteRecordRaw } from 'vue-router'
import { ofBroadcasts } from '@/pages/broadcasts/routes'
import { ofAccess } from '@/routes/access'

/** Below an application, such as `/apps/crm/roles`. */
export const ofApplication: RouteRecordRaw[] = [
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
