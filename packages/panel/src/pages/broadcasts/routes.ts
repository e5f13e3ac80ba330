import type { RouteRecordRaw } from 'vue-router'

/** Below an application. */
export const ofBroadcasts: RouteRecordRaw[] = [
  {
    path: '/broadcasts',
    component: () => import('@/pages/broadcasts/BroadcastsPage.vue'),
    meta: { texts: ['broadcasts'] },
  },
  {
    path: '/broadcasts/new',
    component: () => import('@/pages/broadcasts/NewBroadcastPage.vue'),
    meta: { texts: ['broadcasts', 'messages'] },
  },
  {
    path: '/broadcasts/:broadcastId(\\d+)',
    component: () => import('@/pages/broadcasts/BroadcastPage.vue'),
    meta: { texts: ['broadcasts', 'messages'] },
  },
]
