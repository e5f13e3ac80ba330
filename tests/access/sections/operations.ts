import type { SectionAccess } from '#tests/access/section_access'

export default {
  routes: {
    'GET /api/admin/operations': 'global',
    'GET /api/admin/activity': 'panel',
    'GET /api/admin/attention': 'panel',
  },
} satisfies SectionAccess
