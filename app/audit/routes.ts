import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { AccessReviews, Audit } = controllers.audit

router
  .group(() => {
    router
      .get('/admin/audit', [Audit, 'index'])
      .use([middleware.inTurn(), middleware.panel('anyLevel'), middleware.freshness()])
    router.get('/admin/audit/head', [Audit, 'head']).use(middleware.panel('globalAdmin'))
    router
      .get('/applications/:appCode/access-review', [AccessReviews, 'show'])
      .use([middleware.panel('view'), middleware.freshness()])
    router
      .get('/users/:email/audit', [Audit, 'ofUser'])
      .use([middleware.inTurn(), middleware.panel('readUsers'), middleware.freshness()])
  })
  .prefix('/api')
  .as('audit')
  .use([middleware.token(), throttle.token])
