import type { SectionAccess } from '#tests/access/section_access'

export default {
  parameters: {
    'errors/:code': () => 'NOT_FOUND',
  },
  routes: {
    'GET /': 'anybody',
    'GET /api/health/live': 'anybody',
    'GET /api/health/ready': 'anybody',
    'GET /api/openapi.json': 'anybody',
    'GET /metrics': 'anybody',
    'GET /docs': 'anybody',
    'GET /docs/scalar.js': 'anybody',
    'GET /docs/start.js': 'anybody',
    'GET /docs/errors/:code': 'anybody',
  },
} satisfies SectionAccess
