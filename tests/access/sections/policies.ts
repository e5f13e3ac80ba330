import type { Body, SectionAccess } from '#tests/access/section_access'

const policy: Body = (application) => ({
  application,
  permissions: [{ code: 'p', type: 'binary' }],
})

export default {
  routes: {
    'GET /api/applications/:appCode/policy': 'view',
    'POST /api/applications/:appCode/policy/plan': ['edit', policy],
    'PUT /api/applications/:appCode/policy': ['edit', policy],
    'GET /docs/schemas/application-policy.json': 'anyone',
  },
} satisfies SectionAccess
