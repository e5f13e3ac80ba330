import type { SectionAccess } from '#tests/access/section_access'

export default {
  routes: {
    // Without a page, the response would be a stream.
    'GET /api/internal/changes': ['internal', () => ({ after: 0, limit: 1, domains: 'access' })],
  },
} satisfies SectionAccess
