import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { EVENT_TYPES } from '#app/webhooks/values/event_types'
import { encryptSecret, generateSecret } from '#app/webhooks/values/webhook_secret'
import type { SectionAccess } from '#tests/access/section_access'

const url = 'https://receiver.example/events'

const webhook = () => ({ url, events: [...EVENT_TYPES], enabled: true })

export default {
  parameters: {
    // Not by its action: more callers than an application may have webhooks try each route.
    'webhooks/:id': async ({ application: { id: applicationId } }) => {
      const positions = { sinceRevision: 0, sinceSequence: 0 }
      const secret = encryptSecret(generateSecret())
      const former = { url: `${url}/former`, events: ['user.erased' as const], enabled: true }
      return (await Webhook.create({ applicationId, secret, ...positions, ...former })).id
    },
    'deliveries/:deliveryId': async ({ application, named }) => {
      const webhookId = Number(named?.get('webhooks/:id')) || (await latestOf(application.id))
      const data = { application: application.code, webhookId }
      const event = { webhookId, type: 'webhook.test', email: null, data } as const
      const [id] = await storeEvents([event], null)
      // Nothing is sent: the tests run no background work, but other processes may.
      await WebhookDelivery.query().where({ id }).update({ due_at: null, status: 'delivered' })
      return id
    },
  },
  routes: {
    'GET /api/applications/:appCode/webhooks': 'edit',
    'POST /api/applications/:appCode/webhooks': ['edit', webhook],
    'GET /api/applications/:appCode/webhooks/:id': 'edit',
    'PUT /api/applications/:appCode/webhooks/:id': ['edit', webhook],
    'DELETE /api/applications/:appCode/webhooks/:id': 'edit',
    'POST /api/applications/:appCode/webhooks/:id/rotate-secret': 'edit',
    'POST /api/applications/:appCode/webhooks/:id/test': 'edit',
    'GET /api/applications/:appCode/webhooks/:id/deliveries': 'edit',
    'POST /api/applications/:appCode/webhooks/:id/deliveries/:deliveryId/replay': 'edit',
  },
} satisfies SectionAccess

/** That of the same path, which was made a moment before. */
async function latestOf(applicationId: number): Promise<number> {
  const { id } = await Webhook.query().where({ applicationId }).orderBy('id', 'desc').firstOrFail()
  return id
}
