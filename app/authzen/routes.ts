import router from '@adonisjs/core/services/router'
import AuthzenController from '#app/authzen/controllers/authzen_controller'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

/** One instance: resolving a new one from the container would cost a tenth of each evaluation. */
const authzen = new AuthzenController()

router
  .group(() => {
    router.post('/evaluation', (ctx) => authzen.evaluation(ctx)).as('authzen.evaluation')
    router.post('/evaluations', (ctx) => authzen.evaluations(ctx)).as('authzen.evaluations')
    router.post('/search/subject', [controllers.authzen.AuthzenSearches, 'subject'])
    router.post('/search/resource', [controllers.authzen.AuthzenSearches, 'resource'])
    router.post('/search/action', [controllers.authzen.AuthzenSearches, 'action'])
  })
  .prefix('/api/authzen/:appCode/access/v1')
  .as('authzen')
  .use([
    middleware.authzenTransport(),
    middleware.authzenCaller(),
    throttle.authzen,
    middleware.freshness(),
    middleware.json({ exact: true }),
  ])

router
  .get('/.well-known/authzen-configuration/api/authzen/:appCode', [
    controllers.authzen.Authzen,
    'metadata',
  ])
  .as('authzen.authzen.metadata')
  .use([middleware.authzenTransport(), throttle.public])
