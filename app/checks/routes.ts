import router from '@adonisjs/core/services/router'
import ChecksController from '#app/checks/controllers/checks_controller'
import OwnChecksController from '#app/checks/controllers/own_checks_controller'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import httpLimits from '#config/http_limits'

/** One instance each: resolving a new one from the container would cost a tenth of each check. */
const checks = new ChecksController()
const ownChecks = new OwnChecksController()

router
  .group(() => {
    router.post('/', (ctx) => checks.check(ctx)).as('checks.check')
    router.post('/bulk', (ctx) => checks.bulk(ctx)).as('checks.bulk')
    router.post('/effective', [controllers.checks.Checks, 'effective'])
    router.post('/explain', [controllers.checks.Checks, 'explain'])
    router.post('/search/subjects', [controllers.checks.Searches, 'subjects'])
    router.post('/search/resources', [controllers.checks.Searches, 'resources'])
    router.post('/search/permissions', [controllers.checks.Searches, 'permissions'])
  })
  .prefix('/api/check')
  .as('checks')
  .use([middleware.privateNetwork(), throttle.check, middleware.freshness(), middleware.json()])

router
  .post('/api/check/cache/clear', [controllers.checks.Checks, 'clearCache'])
  .as('checks.checks.clear_cache')
  .use([middleware.privateNetwork(), throttle.check, middleware.json()])

const ownBody = middleware.json({ limit: httpLimits.bodyBytes.ownChecks })

router
  .group(() => {
    router.post('/', (ctx) => ownChecks.check(ctx)).as('own_checks.check')
    router.post('/bulk', (ctx) => ownChecks.bulk(ctx)).as('own_checks.bulk')
    router.post('/effective', [controllers.checks.OwnChecks, 'effective'])
    router
      .post('/explain', [controllers.checks.OwnChecks, 'explain'])
      .use(middleware.panel('nothing'))
    router.post('/search/resources', [controllers.checks.OwnSearches, 'resources'])
    router.post('/search/permissions', [controllers.checks.OwnSearches, 'permissions'])
  })
  .prefix('/api/profile/me/check')
  .as('own_checks')
  .use([middleware.token('inactive'), throttle.token, middleware.freshness(), ownBody])

router
  .group(() => {
    router.post('/effective', [controllers.checks.Access, 'effective'])
    router.post('/explain', [controllers.checks.Access, 'explain'])
    router.post('/search/subjects', [controllers.checks.Access, 'searchSubjects'])
  })
  .prefix('/api/applications/:appCode/access')
  .as('access')
  .use([
    middleware.token(),
    throttle.token,
    middleware.panel('view'),
    middleware.freshness(),
    middleware.json(),
  ])

router
  .post('/api/applications/:appCode/access/preview', [controllers.checks.Previews, 'store'])
  .as('access.previews.store')
  .use([middleware.token(), throttle.token, middleware.panel('edit'), middleware.json()])

router
  .get('/api/profile/me/admin-status', [controllers.checks.OwnChecks, 'adminStatus'])
  .as('own_checks.own_checks.admin_status')
  .use([middleware.token(), throttle.token, middleware.panel('nothing')])
