import emitter from '@adonisjs/core/services/emitter'
import { useOutcomeOutbox } from '#app/delivery/outcome_outbox'
import { notificationOutbox } from '#app/webhooks/notification_outbox'
import { events } from '#generated/events'
import { listeners } from '#generated/listeners'

useOutcomeOutbox(notificationOutbox)

emitter.on(events.core.AccessChanged, [listeners.checks.InvalidateDecisions, 'handle'])
emitter.on(events.applications.ApplicationCreated, [
  listeners.notifications.CreateGenericType,
  'handle',
])
emitter.on(events.applications.ApplicationDeleted, [listeners.broadcasts.EndBroadcasts, 'handle'])
emitter.on(events.bounces.NotificationBounced, [listeners.webhooks.StoreBounce, 'handle'])
