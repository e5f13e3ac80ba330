import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Log } = controllers.notifications

router
  .group(() => {
    router
      .get('/log/:email', [Log, 'ofRecipient'])
      .use([
        middleware.internalKey('filtered'),
        throttle.internal,
        middleware.inTurn(),
        middleware.freshness(),
      ])
    router
      .get('/log/app/:appCode', [Log, 'ofApplication'])
      .use([
        middleware.internalKey('application'),
        throttle.internal,
        middleware.inTurn(),
        middleware.freshness(),
      ])
  })
  .prefix('/api/internal/notifications')
  .as('internal_notification_log')

router
  .group(() => {
    router
      .get('/log', [Log, 'searchAll'])
      .use([middleware.inTurn(), middleware.panel('globalAdmin'), middleware.freshness()])
    router
      .get('/log/:appCode', [Log, 'search'])
      .use([middleware.inTurn(), middleware.panel('view'), middleware.freshness()])
    router
      .get('/stats/:appCode', [Log, 'statistics'])
      .use([middleware.panel('view'), middleware.freshness()])
  })
  .prefix('/api/admin/notifications')
  .as('admin_notification_log')
  .use([middleware.token(), throttle.token])
