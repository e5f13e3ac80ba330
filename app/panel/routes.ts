import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import httpLimits from '#config/http_limits'

const limitedBody = middleware.json({ limit: httpLimits.bodyBytes.own })

const { Pages, Sessions, SignIn } = controllers.panel

router
  .group(() => {
    router.get('/login', [SignIn, 'login'])
    router.get('/callback', [SignIn, 'callback'])
    router.post('/logout', [SignIn, 'logout']).use(limitedBody)
  })
  .prefix('/panel')
  .as('panel_sign_in')
  .use(throttle.public)

router
  .group(() => {
    router.get('/session', [Sessions, 'current']).use(middleware.panel('nothing'))
    router.get('/sessions', [Sessions, 'index'])
    router.delete('/sessions', [Sessions, 'destroyAll']).use(limitedBody)
    router.delete('/sessions/:id', [Sessions, 'destroy']).use(limitedBody)
  })
  .prefix('/api/panel')
  .as('panel_sessions')
  .use([middleware.token(), throttle.token])

router
  .group(() => {
    router.get('/', [Pages, 'start']).as('start')
    router.get('/*', [Pages, 'show']).as('page')
  })
  .prefix('/panel')
  .as('panel_pages')
  .use(throttle.public)
