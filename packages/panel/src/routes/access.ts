import type { RouteRecordRaw } from 'vue-router'

/** Questions about who may do what in an application, and its policy. Below the application. */
export const ofAccess: RouteRecordRaw[] = [
  {
    path: '/who',
    component: () => import('@/pages/who/WhoPage.vue'),
    meta: { texts: ['who', 'why'] },
  },
  {
    path: '/review',
    component: () => import('@/pages/review/ReviewPage.vue'),
    meta: { texts: ['review', 'people', 'administrators'] },
  },
  {
    path: '/what-if',
    component: () => import('@/pages/whatif/WhatIfPage.vue'),
    meta: { texts: ['whatif', 'flips'] },
  },
  {
    path: '/policy',
    component: () => import('@/pages/policy/PolicyPage.vue'),
    meta: { texts: ['policy', 'flips', 'changes'] },
  },
  { path: '/why', component: () => import('@/pages/why/WhyPage.vue'), meta: { texts: ['why'] } },
]
