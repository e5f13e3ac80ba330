import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Policies, PolicySchemas } = controllers.policies
const takesPolicy = [middleware.panel('edit'), middleware.json({ yaml: true })]

router
  .group(() => {
    router.get('/policy', [Policies, 'show']).use([middleware.inTurn(), middleware.panel('view')])
    router.post('/policy/plan', [Policies, 'plan']).use(takesPolicy)
    router.put('/policy', [Policies, 'update']).use(takesPolicy)
  })
  .prefix('/api/applications/:appCode')
  .as('policies')
  .use([middleware.token(), throttle.token])

router
  .get('/docs/schemas/application-policy.json', [PolicySchemas, 'show'])
  .as('policy_schema')
  .use([middleware.docs(), throttle.public])
