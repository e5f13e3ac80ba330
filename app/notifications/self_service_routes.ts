import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import httpLimits from '#config/http_limits'

const { Preferences, PushSubscriptions, QuietHours } = controllers.notifications
const ownBody = middleware.json({ limit: httpLimits.bodyBytes.own })

// The first match wins, so fixed paths come before `:appCode` and `:notificationTypeId`, also those
// of the inbox.
router
  .group(() => {
    router.put('/notifications/preferences/bulk', [Preferences, 'bulk']).use(ownBody)
    router
      .put('/notifications/preferences/:notificationTypeId', [Preferences, 'update'])
      .use(ownBody)
    router
      .get('/notifications/:appCode', [Preferences, 'index'])
      .use([middleware.inTurn(), middleware.member('know')])

    router.get('/quiet-hours', [QuietHours, 'show'])
    router.put('/quiet-hours', [QuietHours, 'update']).use(ownBody)

    router.get('/push/vapid-key', [PushSubscriptions, 'vapidKey'])
    router.post('/push/subscribe', [PushSubscriptions, 'store']).use(ownBody)
    router.post('/push/unsubscribe', [PushSubscriptions, 'unsubscribe']).use(ownBody)
    router.get('/push/subscriptions', [PushSubscriptions, 'index'])
    router.delete('/push/subscriptions/:id', [PushSubscriptions, 'destroy']).use(ownBody)
  })
  .prefix('/api/profile/me')
  .as('own_notifications')
  .use([middleware.token(), throttle.token])
