import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import httpLimits from '#config/http_limits'

const {
  ClientSynchronisations,
  DevelopmentLogin,
  EmailHook,
  Erasures,
  Exports,
  Identities,
  NotificationProvider,
  Organisations,
  ProviderStatus,
  Reconciliations,
  RegistrationLocale,
  UserStatus,
  Webhook,
} = controllers.identityProvider

const hookBody = middleware.json({ limit: httpLimits.bodyBytes.hook })

router
  .group(() => {
    router
      .post('/webhook', [Webhook, 'handle'])
      .use([middleware.webhook(), throttle.webhook, hookBody])
    router
      .post('/notifications/email', [EmailHook, 'store'])
      .use([middleware.providerSignature(), throttle.webhook, hookBody])
    router.get('/health', [ProviderStatus, 'health']).use(throttle.public)
    router.get('/discovery', [ProviderStatus, 'discovery']).use(throttle.public)
    router
      .get('/login', [DevelopmentLogin, 'login'])
      .use([middleware.developmentOnly(), throttle.public])
    router
      .get('/callback', [DevelopmentLogin, 'callback'])
      .use([middleware.developmentOnly(), throttle.public])
  })
  .prefix('/api/idp')
  .as('identity_provider')

router
  .group(() => {
    router.get('/notification-provider', [NotificationProvider, 'show'])
    router.get('/notification-provider/setup', [NotificationProvider, 'preview'])
    router
      .post('/notification-provider/test', [NotificationProvider, 'test'])
      .use(middleware.json())
    router
      .post('/notification-provider/setup', [NotificationProvider, 'setup'])
      .use(middleware.json())
    router
      .post('/notification-provider/activate', [NotificationProvider, 'activate'])
      .use(middleware.json())

    router.get('/reconciliations', [Reconciliations, 'index']).use(middleware.freshness())
    router.post('/reconciliations', [Reconciliations, 'store']).use(middleware.json())

    router.get('/orgs', [Organisations, 'index'])
    router.post('/orgs', [Organisations, 'store']).use(middleware.json())
    router.get('/applications', [Organisations, 'applications'])
    router.get('/orgs/:orgId/branding', [Organisations, 'branding'])
    router.put('/orgs/:orgId/branding', [Organisations, 'brand']).use(middleware.json())
    router.post('/orgs/:orgId/setup', [Organisations, 'setup']).use(middleware.json())
  })
  .prefix('/api/idp/admin')
  .as('identity_provider_admin')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin')])

router
  .put('/api/users/:email/identity', [Identities, 'update'])
  .as('identity_provider.identities.update')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin'), middleware.json()])

router
  .delete('/api/users/:email', [Erasures, 'destroy'])
  .as('identity_provider.erasures.destroy')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin'), middleware.json()])

router
  .get('/api/users/:email/export', [Exports, 'show'])
  .as('identity_provider.exports.show')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin')])

router
  .put('/api/users/:email/active', [UserStatus, 'update'])
  .as('identity_provider.user_status.update')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin'), middleware.json()])

router
  .get('/api/applications/:appCode/idp/sync', [ClientSynchronisations, 'show'])
  .as('identity_provider.client_synchronisation')
  .use([middleware.token(), throttle.token, middleware.panel('view')])

router
  .post('/api/applications/:appCode/idp/sync', [ClientSynchronisations, 'store'])
  .as('identity_provider.synchronise_clients')
  .use([middleware.token(), throttle.token, middleware.panel('edit'), middleware.json()])

router
  .put('/api/internal/auth/registration-locale', [RegistrationLocale, 'update'])
  .as('identity_provider.registration_locale.update')
  .use([middleware.internalKey(), throttle.internal, middleware.json()])
