import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Webhooks, WebhookDeliveries } = controllers.webhooks

router
  .group(() => {
    router.get('/', [Webhooks, 'index'])
    router.post('/', [Webhooks, 'store']).use(middleware.json())
    router.get('/:id', [Webhooks, 'show'])
    router.put('/:id', [Webhooks, 'update']).use(middleware.json())
    router.delete('/:id', [Webhooks, 'destroy']).use(middleware.json())
    router.post('/:id/rotate-secret', [Webhooks, 'rotateSecret']).use(middleware.json())
    router.post('/:id/test', [Webhooks, 'test']).use(middleware.json())
    router
      .get('/:id/deliveries', [WebhookDeliveries, 'index'])
      .use([middleware.inTurn(), middleware.freshness()])
    router
      .post('/:id/deliveries/:deliveryId/replay', [WebhookDeliveries, 'replay'])
      .use(middleware.json())
  })
  .prefix('/api/applications/:appCode/webhooks')
  .as('webhooks')
  .use([middleware.token(), throttle.token, middleware.panel('edit')])
