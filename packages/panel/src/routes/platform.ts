import type { RouteRecordRaw } from 'vue-router'
import { ofProvider } from '@/pages/provider/routes'
import { ofApplication } from '@/routes/application'
import { ofPerson } from '@/routes/person'

/** All screens, with the texts that each of them needs. */
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
