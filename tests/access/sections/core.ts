import type { SectionAccess } from '#tests/access/section_access'

export default {
  parameters: {
    'errors/:code': () => 'NOT_FOUND',
  },
  routes: {
    'GET /': 'anyone',
    'GET /api/health/live': 'anyone',
    'GET /api/health/ready': 'anyone',
    'GET /api/openapi.json': 'anyone',
    'GET /metrics': 'anyone',
    'GET /docs': 'anyone',
    'GET /docs/scalar.js': 'anyone',
    'GET /docs/start.js': 'anyone',
    'GET /docs/errors/:code': 'anyone',
  },
} satisfies SectionAccess
