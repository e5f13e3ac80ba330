import type { RouteRecordRaw } from 'vue-router'

/** Below `/provider`. */
export const ofProvider: RouteRecordRaw[] = [
  {
    path: '',
    component: () => import('@/pages/provider/ProviderPage.vue'),
    meta: { texts: ['provider'] },
  },
  {
    path: '/setup',
    component: () => import('@/pages/provider/SetupPage.vue'),
    meta: { texts: ['provider'] },
  },
  {
    path: '/organisations',
    component: () => import('@/pages/provider/organisations/OrganisationsPage.vue'),
    meta: { texts: ['provider'] },
  },
  {
    path: '/organisations/:orgId',
    component: () => import('@/pages/provider/organisations/OrganisationPage.vue'),
    meta: { texts: ['provider'] },
  },
  {
    path: '/reconciliations',
    component: () => import('@/pages/provider/ReconciliationsPage.vue'),
    meta: { texts: ['provider'] },
  },
  {
    path: '/guide/:step(connect|mails|brands|test-mail|sign-in)?',
    component: () => import('@/pages/provider/guide/GuidePage.vue'),
    meta: { texts: ['messages', 'provider'] },
  },
]
