import type { SectionAccess } from '#tests/access/section_access'
import { aNotification } from '#tests/helpers/inbox'

const ITEM = '/api/profile/me/notifications/inbox/:id'
const tomorrow = () => ({ until: new Date(Date.now() + 86_400_000).toISOString() })

export default {
  parameters: {
    'inbox/:id': async ({ email }) => (await aNotification(email)).id,
  },
  routes: {
    'GET /concierge-inbox.js': 'anyone',
    'GET /api/profile/me/notifications/inbox': 'active',
    'GET /api/profile/me/notifications/inbox/unread-count': 'active',
    // Refused past the guard, because the stream would not end.
    'GET /api/profile/me/notifications/inbox/stream': ['active', () => ({ lastEventId: 'x' })],
    'POST /api/profile/me/notifications/inbox/stream-ticket': 'active',
    'POST /api/profile/me/notifications/inbox/read-all': ['active', (appCode) => ({ appCode })],
    [`PATCH ${ITEM}/read`]: 'active',
    [`PATCH ${ITEM}/unread`]: 'active',
    [`PATCH ${ITEM}/archive`]: 'active',
    [`PATCH ${ITEM}/unarchive`]: 'active',
    [`PATCH ${ITEM}/snooze`]: ['active', tomorrow],
  },
} satisfies SectionAccess
