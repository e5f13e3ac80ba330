import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

router.get('/', [controllers.core.Root, 'show']).as('root').use(throttle.public)

router
  .group(() => {
    router.get('/live', [controllers.core.Health, 'live'])
    router.get('/ready', [controllers.core.Health, 'ready'])
  })
  .prefix('/api/health')
  .as('health')

router
  .get('/metrics', [controllers.core.Metrics, 'show'])
  .as('metrics')
  .use(middleware.privateNetwork())

router
  .get('/api/openapi.json', [controllers.core.Openapi, 'show'])
  .as('openapi')
  .use([middleware.docs(), throttle.public])

router
  .group(() => {
    router.get('/', [controllers.core.Docs, 'show'])
    router.get('/scalar.js', [controllers.core.Docs, 'script'])
    router.get('/start.js', [controllers.core.Docs, 'start'])
    router.get('/errors/:code', [controllers.core.Docs, 'error'])
  })
  .prefix('/docs')
  .as('docs')
  .use([middleware.docs(), throttle.public])
