import type { SectionAccess } from '#tests/access/section_access'

export default {
  routes: {
    'GET /api/applications/:appCode/policy': 'view',
    'GET /docs/schemas/application-policy.json': 'anybody',
  },
} satisfies SectionAccess
