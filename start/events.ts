import emitter from '@adonisjs/core/services/emitter'
import { events } from '#generated/events'
import { listeners } from '#generated/listeners'

emitter.on(events.core.AccessChanged, [listeners.checks.InvalidateDecisions, 'handle'])
emitter.on(events.applications.ApplicationCreated, [
  listeners.notifications.CreateGenericType,
  'handle',
])
emitter.on(events.applications.ApplicationDeleted, [listeners.broadcasts.EndBroadcasts, 'handle'])
