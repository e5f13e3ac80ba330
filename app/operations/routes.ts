import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Operations, Overview } = controllers.operations

router
  .group(() => {
    router.get('/operations', [Operations, 'show']).as('show').use(middleware.panel('globalAdmin'))
    router.get('/activity', [Overview, 'activity']).as('activity').use(middleware.panel('anyLevel'))
    router
      .get('/attention', [Overview, 'attention'])
      .as('attention')
      .use(middleware.panel('anyLevel'))
  })
  .prefix('/api/admin')
  .as('operations')
  .use([middleware.token(), throttle.token])
