import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'

router
  .group(() => {
    router.get('/live', [controllers.core.Health, 'live'])
    router.get('/ready', [controllers.core.Health, 'ready'])
  })
  .prefix('/api/health')
  .as('health')
