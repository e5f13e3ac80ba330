import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Log } = controllers.notifications

router
  .group(() => {
    router
      .get('/log/:email', [Log, 'ofRecipient'])
      .use([middleware.internalKey('filtered'), throttle.internal])
    router
      .get('/log/app/:appCode', [Log, 'ofApplication'])
      .use([middleware.internalKey('application'), throttle.internal])
  })
  .prefix('/api/internal/notifications')
  .as('internal_notification_log')

router
  .group(() => {
    router.get('/log/:appCode', [Log, 'search'])
    router.get('/stats/:appCode', [Log, 'statistics'])
  })
  .prefix('/api/admin/notifications')
  .as('admin_notification_log')
  .use([middleware.token(), throttle.token, middleware.panel('view')])
