import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { BroadcastPreviews, BroadcastRecipients, BroadcastSteering, Broadcasts } =
  controllers.broadcasts
const canView = middleware.panel('view')
const canList = [canView, middleware.freshness()]
const canEdit = [middleware.panel('edit'), middleware.json()]

router
  .group(() => {
    router.get('/', [Broadcasts, 'index']).use(canList)
    router.post('/', [Broadcasts, 'store']).use(canEdit)
    router.post('/preview', [BroadcastPreviews, 'store']).use(canEdit)
    router.get('/:id', [Broadcasts, 'show']).use(canView)
    router.put('/:id', [Broadcasts, 'update']).use(canEdit)
    router.get('/:id/recipients', [BroadcastRecipients, 'index']).use(canList)
    router.get('/:id/reasons', [BroadcastRecipients, 'reasons']).use(canList)
    router.get('/:id/stream', [Broadcasts, 'stream']).use(canView)
    router.post('/:id/pause', [BroadcastSteering, 'pause']).use(canEdit)
    router.post('/:id/resume', [BroadcastSteering, 'resume']).use(canEdit)
    router.post('/:id/cancel', [BroadcastSteering, 'cancel']).use(canEdit)
  })
  .prefix('/api/admin/notifications/broadcast/:appCode')
  .as('broadcasts')
  .use([middleware.token(), throttle.token])
