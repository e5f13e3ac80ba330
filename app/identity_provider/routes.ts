import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Webhook, ProviderStatus, DevelopmentLogin } = controllers.identityProvider

router
  .group(() => {
    router
      .post('/webhook', [Webhook, 'handle'])
      .use([throttle.webhook, middleware.webhookSecret(), middleware.json()])
    router.get('/health', [ProviderStatus, 'health']).use(throttle.webhook)
    router.get('/discovery', [ProviderStatus, 'discovery']).use(throttle.webhook)
    router
      .get('/login', [DevelopmentLogin, 'login'])
      .use([middleware.developmentOnly(), throttle.webhook])
    router
      .get('/callback', [DevelopmentLogin, 'callback'])
      .use([middleware.developmentOnly(), throttle.webhook])
  })
  .prefix('/api/idp')
  .as('identity_provider')
