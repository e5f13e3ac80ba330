import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Suppressions } = controllers.suppressions

router
  .group(() => {
    router.get('/', [Suppressions, 'index']).use(middleware.freshness())
    router.post('/', [Suppressions, 'store']).use(middleware.json())
    router.delete('/:email', [Suppressions, 'destroy']).use(middleware.json())
  })
  .prefix('/api/admin/notifications/suppressions')
  .as('suppressions')
  .use([middleware.token(), throttle.token, middleware.panel('globalAdmin')])
