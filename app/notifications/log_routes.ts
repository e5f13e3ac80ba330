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
    router.get('/log', [Log, 'searchAll']).use(middleware.panel('globalAdmin'))
    router.get('/log/:appCode', [Log, 'search']).use(middleware.panel('view'))
    router.get('/stats/:appCode', [Log, 'statistics']).use(middleware.panel('view'))
  })
  .prefix('/api/admin/notifications')
  .as('admin_notification_log')
  .use([middleware.token(), throttle.token])
