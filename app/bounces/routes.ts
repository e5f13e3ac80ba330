import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Bounces } = controllers.bounces

router
  .get('/api/admin/notifications/bounces', [Bounces, 'index'])
  .as('bounces.index')
  .use([
    middleware.token(),
    throttle.token,
    middleware.panel('globalAdmin'),
    middleware.freshness(),
  ])

router
  .post('/api/internal/notifications/bounces', [Bounces, 'store'])
  .as('bounces.store')
  .use([middleware.internalKey('filtered'), throttle.internal, middleware.json()])
