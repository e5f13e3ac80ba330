import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { BrandTests, Explanations, InternalNotifications, LogEntries, TemplateTests, Unsubscribe } =
  controllers.delivery

router
  .group(() => {
    router
      .post('/', [InternalNotifications, 'store'])
      .use([
        middleware.internalKey('application'),
        throttle.internal,
        middleware.json(),
        middleware.ownApplication(),
      ])
    router
      .post('/bulk', [InternalNotifications, 'bulk'])
      .use([middleware.internalKey('filtered'), throttle.internal, middleware.json()])
    router
      .post('/explain', [Explanations, 'explain'])
      .use([
        middleware.internalKey('application'),
        throttle.internal,
        middleware.json(),
        middleware.ownApplication(),
      ])
  })
  .prefix('/api/internal/notifications')
  .as('delivery')

router
  .get('/api/internal/notifications/:id', [LogEntries, 'showInternal'])
  .as('internal_log_entries.show')
  .use([middleware.internalKey('filtered'), throttle.internal])

router
  .get('/api/internal/notifications/:id/explain', [Explanations, 'showInternal'])
  .as('internal_explanations.show')
  .use([middleware.internalKey('filtered'), throttle.internal])

router
  .delete('/api/internal/notifications/:id', [InternalNotifications, 'destroy'])
  .as('delivery.internal_notifications.destroy')
  .use([middleware.internalKey('filtered'), throttle.internal, middleware.json()])

router
  .get('/api/admin/notifications/log/:appCode/:id', [LogEntries, 'show'])
  .as('admin_log_entries.show')
  .use([middleware.token(), throttle.token, middleware.inTurn(), middleware.panel('view')])

router
  .get('/api/admin/notifications/log/:appCode/:id/body', [LogEntries, 'body'])
  .as('admin_log_entries.body')
  .use([middleware.token(), throttle.token, middleware.inTurn(), middleware.panel('view')])

router
  .get('/api/admin/notifications/log/:appCode/:id/explain', [Explanations, 'show'])
  .as('admin_explanations.show')
  .use([middleware.token(), throttle.token, middleware.inTurn(), middleware.panel('view')])

router
  .post('/api/admin/notifications/explain/:appCode', [Explanations, 'explainForAdmin'])
  .as('admin_explanations.explain')
  .use([middleware.token(), throttle.token, middleware.panel('view'), middleware.json()])

router
  .post('/api/admin/notifications/log/:appCode/:id/resend', [LogEntries, 'resend'])
  .as('admin_log_entries.resend')
  .use([middleware.token(), throttle.token, middleware.panel('edit'), middleware.json()])

router
  .post('/api/admin/notifications/log/:appCode/:id/cancel', [LogEntries, 'cancel'])
  .as('admin_log_entries.cancel')
  .use([middleware.token(), throttle.token, middleware.panel('edit'), middleware.json()])

router
  .post('/api/admin/notifications/templates/:id/locales/:locale/test', [TemplateTests, 'store'])
  .as('delivery.template_tests.store')
  .use([
    middleware.token(),
    throttle.token,
    middleware.templatePanel('edit'),
    middleware.editableType(),
    middleware.json(),
  ])

router
  .post('/api/admin/brands/:id/test', [BrandTests, 'store'])
  .as('delivery.brand_tests.store')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin'), middleware.json()])

router
  .group(() => {
    router.get('/:token', [Unsubscribe, 'show'])
    router.post('/:token', [Unsubscribe, 'store'])
  })
  .prefix('/api/unsubscribe')
  .as('unsubscribe')
  .use(throttle.public)
