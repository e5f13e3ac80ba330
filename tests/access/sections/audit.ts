import type { SectionAccess } from '#tests/access/section_access'

export default {
  routes: {
    'GET /api/applications/:appCode/access-review': 'view',
    'GET /api/admin/audit': 'panel',
    'GET /api/admin/audit/head': 'global',
    'GET /api/users/:email/audit': 'users',
  },
} satisfies SectionAccess
