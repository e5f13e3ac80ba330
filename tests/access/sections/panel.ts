import User from '#app/profiles/models/user'
import type { SectionAccess } from '#tests/access/section_access'
import { aSession } from '#tests/helpers/panel_world'
import { uniqueEmail } from '#tests/helpers/people'
import { subjectOf } from '#tests/world/issuer'

export default {
  parameters: {
    'panel/*': () => 'apps',
    'sessions/:id': async ({ email = uniqueEmail() }) => {
      const user = await User.findBy({ email })
      return (await aSession(email, { subject: user?.idpUserId ?? subjectOf(email) })).id
    },
  },
  routes: {
    'GET /panel': 'anyone',
    'GET /panel/*': 'anyone',
    'GET /panel/login': 'anyone',
    'GET /panel/callback': 'anyone',
    'POST /panel/logout': 'anyone',
    'GET /api/panel/session': 'active',
    'GET /api/panel/sessions': 'active',
    // Before the deletion of all, which takes it too.
    'DELETE /api/panel/sessions/:id': 'active',
    'DELETE /api/panel/sessions': 'active',
  },
} satisfies SectionAccess
