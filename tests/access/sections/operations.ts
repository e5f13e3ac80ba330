import type { SectionAccess } from '#tests/access/section_access'

export default {
  routes: { 'GET /api/admin/operations': 'global' },
} satisfies SectionAccess
