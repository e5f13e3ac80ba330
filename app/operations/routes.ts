import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Operations } = controllers.operations

router
  .get('/api/admin/operations', [Operations, 'show'])
  .as('operations.show')
  .use([middleware.token(), throttle.token, middleware.panel('globalAdmin')])
