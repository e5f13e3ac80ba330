import Delivery from '#app/delivery/models/delivery'
import type { Scene } from '#tests/access/scene'
import type { SectionAccess } from '#tests/access/section_access'
import { aNotification } from '#tests/helpers/inbox'
import { uniqueEmail } from '#tests/helpers/people'

async function bounceIn({ application }: Scene) {
  const email = uniqueEmail()
  const { id } = await aNotification(email, { appCode: application.code })
  await Delivery.create({ notificationId: id, channel: 'email', status: 'sent' })
  return { email, kind: 'hard', notificationId: id, text: '550 5.1.1 No such user' }
}

export default {
  routes: {
    'GET /api/admin/notifications/bounces': 'global',
    'POST /api/internal/notifications/bounces': ['anyInternal', undefined, bounceIn],
  },
} satisfies SectionAccess
