import Suppression from '#app/suppressions/models/suppression'
import type { Body, SectionAccess } from '#tests/access/section_access'
import { uniqueEmail } from '#tests/helpers/people'

const suppression: Body = () => ({
  email: uniqueEmail(),
  reason: 'complaint',
  note: 'Asked us by telephone',
})

export default {
  parameters: {
    'suppressions/:email': async () =>
      (await Suppression.create({ email: uniqueEmail(), reason: 'manual' })).email,
  },
  routes: {
    'GET /api/admin/notifications/suppressions': 'global',
    'POST /api/admin/notifications/suppressions': ['global', suppression],
    'DELETE /api/admin/notifications/suppressions/:email': 'global',
  },
} satisfies SectionAccess
