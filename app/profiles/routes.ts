import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import httpLimits from '#config/http_limits'

const { Profile, Preferences, InternalProfiles, Users, UserPreferences, LoginRecords } =
  controllers.profiles
const limitedBody = middleware.json({ limit: httpLimits.bodyBytes.own })
const mayEnter = middleware.member('enter')
const mayManage = middleware.member('keep')
const mayReadUsers = middleware.panel('readUsers')

router
  .get('/api/profile/me', [Profile, 'mine'])
  .as('profiles.profile.mine')
  .use([middleware.token('inactive'), throttle.token])

router
  .group(() => {
    router.put('/me', [Profile, 'updateMine']).use(limitedBody)
    router.get('/me/options', [Profile, 'options'])
    router.get('/me/apps', [Preferences, 'index'])
    router.get('/me/apps/:appCode', [Preferences, 'bootstrap']).use(mayEnter)
    router.put('/me/apps/:appCode', [Preferences, 'update']).use([mayManage, limitedBody])
    router
      .post('/me/apps/:appCode/activity', [Preferences, 'activity'])
      .use([mayEnter, limitedBody])
    router.post('/me/apps/:appCode/logout', [Preferences, 'logout']).use([mayManage, limitedBody])
    router.get('/:email', [Profile, 'show']).use(mayReadUsers)
  })
  .prefix('/api/profile')
  .as('profiles')
  .use([middleware.token(), throttle.token])

router
  .group(() => {
    router
      .get('/users', [Users, 'index'])
      .use([middleware.panel('listUsers'), middleware.freshness()])
    router.get('/users/:email', [Users, 'show']).use(mayReadUsers)
    router
      .get('/users/:email/login-records', [LoginRecords, 'ofUser'])
      .use([mayReadUsers, middleware.freshness()])
    router
      .get('/users/:email/apps/:appCode/preferences', [UserPreferences, 'show'])
      .use(middleware.panel('view'))
    router
      .put('/users/:email/apps/:appCode/preferences', [UserPreferences, 'update'])
      .use([middleware.panel('edit'), middleware.json()])
    router
      .get('/applications/:appCode/login-records', [LoginRecords, 'ofApplication'])
      .use([middleware.panel('view'), middleware.freshness()])
  })
  .prefix('/api')
  .as('users')
  .use([middleware.token(), throttle.token])

router
  .group(() => {
    router
      .post('/application-events', [InternalProfiles, 'applicationEvent'])
      .use([
        middleware.internalKey('application'),
        throttle.internal,
        middleware.json(),
        middleware.ownApplication(),
      ])
    router
      .put('/profile-sync', [InternalProfiles, 'sync'])
      .use([middleware.internalKey(), throttle.internal, middleware.json()])
  })
  .prefix('/api/internal/auth')
  .as('internal_profiles')
