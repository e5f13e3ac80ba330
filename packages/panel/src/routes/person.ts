import type { RouteRecordRaw } from 'vue-router'

/** Below a person, such as `/people/alan@acme.example/access`. */
export const ofPerson: RouteRecordRaw[] = [
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
