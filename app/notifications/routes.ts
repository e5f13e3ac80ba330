import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const {
  LanguageCoverage,
  TemplateRevisions,
  Templates,
  TemplateVersions,
  TypeSamples,
  TypeTexts,
  Types,
  UserPushSubscriptions,
} = controllers.notifications
const list = [middleware.inTurn(), middleware.freshness()]
const canView = [middleware.inTurn(), middleware.panel('view')]
const canList = [...canView, middleware.freshness()]
const canEdit = [middleware.panel('edit'), middleware.json()]
const canEditType = [middleware.panel('edit'), middleware.editableType(), middleware.json()]
const canViewTemplate = [middleware.inTurn(), middleware.templatePanel('view')]
const canEditTemplate = [
  middleware.templatePanel('edit'),
  middleware.editableType(),
  middleware.json(),
]

router
  .get('/api/admin/languages/coverage', [LanguageCoverage, 'index'])
  .as('notifications.language_coverage.index')
  .use([middleware.token(), throttle.token, middleware.panel('anyLevel'), middleware.freshness()])

router
  .group(() => {
    router.get('/', [UserPushSubscriptions, 'index'])
    router.delete('/:id', [UserPushSubscriptions, 'destroy']).use(middleware.json())
  })
  .prefix('/api/users/:email/push-subscriptions')
  .as('users.push_subscriptions')
  .use([middleware.token(), throttle.token, middleware.panel('superAdmin')])

router
  .get('/api/applications/:appCode/i18n/:locale', [TypeTexts, 'index'])
  .as('notifications.type_texts.index')
  .use([middleware.token(), throttle.token, middleware.inTurn(), middleware.member('know')])

router
  .group(() => {
    router.get('/types/:appCode', [Types, 'index']).use(canList)
    router.post('/types/:appCode', [Types, 'store']).use(canEdit)
    router.get('/types/:appCode/:type', [Types, 'show']).use(canView)
    router.put('/types/:appCode/:type', [Types, 'update']).use(canEditType)
    router.delete('/types/:appCode/:type', [Types, 'destroy']).use(canEditType)
    router.get('/types/:appCode/:type/samples', [TypeSamples, 'index']).use(canView)
    router.put('/types/:appCode/:type/samples', [TypeSamples, 'update']).use(canEditType)

    router.get('/templates/:appCode', [Templates, 'ofApplication']).use(canList)
    router.get('/types/:appCode/:type/templates', [Templates, 'ofType']).use(canList)
    router.post('/types/:appCode/:type/templates', [Templates, 'store']).use(canEditType)
    router.put('/templates/:id', [Templates, 'update']).use(canEditTemplate)
    router.delete('/templates/:id', [Templates, 'destroy']).use(canEditTemplate)

    router.get('/templates/:id/locales', [TemplateVersions, 'index']).use(canViewTemplate)
    router.get('/templates/:id/locales/:locale', [TemplateVersions, 'show']).use(canViewTemplate)
    router.put('/templates/:id/locales/:locale', [TemplateVersions, 'update']).use(canEditTemplate)
    router
      .delete('/templates/:id/locales/:locale', [TemplateVersions, 'destroy'])
      .use(canEditTemplate)
    router
      .get('/templates/:id/locales/:locale/history', [TemplateRevisions, 'index'])
      .use([...canViewTemplate, middleware.freshness()])
    router
      .get('/templates/:id/locales/:locale/history/:revision', [TemplateRevisions, 'show'])
      .use(canViewTemplate)
    router
      .post('/templates/:id/locales/:locale/restore', [TemplateRevisions, 'restore'])
      .use(canEditTemplate)
    router
      .post('/templates/:id/locales/:locale/preview', [TemplateVersions, 'preview'])
      .use([middleware.templatePanel('view'), middleware.json(), middleware.inTurn()])
  })
  .prefix('/api/admin/notifications')
  .as('admin_notifications')
  .use([middleware.token(), throttle.token])

router
  .group(() => {
    router.get('/types', [Types, 'list']).use(list)
    router.get('/templates/:appCode', [Templates, 'ofApplication']).use(list)

    router
      .group(() => {
        router.get('/types/:appCode/:type/templates', [Templates, 'ofType']).use(list)
        router.get('/templates/:id/locales', [TemplateVersions, 'index']).use(middleware.inTurn())
        router
          .get('/templates/:id/locales/:locale', [TemplateVersions, 'show'])
          .use(middleware.inTurn())
        router.get('/templates/:id/locales/:locale/history', [TemplateRevisions, 'index']).use(list)
        router
          .get('/templates/:id/locales/:locale/history/:revision', [TemplateRevisions, 'show'])
          .use(middleware.inTurn())
      })
      .use(middleware.internalType('read'))

    router
      .group(() => {
        router.post('/types/:appCode/:type/templates', [Templates, 'store'])
        router.put('/templates/:id', [Templates, 'update'])
        router.delete('/templates/:id', [Templates, 'destroy'])
        router.put('/templates/:id/locales/:locale', [TemplateVersions, 'update'])
        router.delete('/templates/:id/locales/:locale', [TemplateVersions, 'destroy'])
        router.post('/templates/:id/locales/:locale/restore', [TemplateRevisions, 'restore'])
      })
      .use([middleware.internalType('write'), middleware.json()])
  })
  .prefix('/api/internal/notifications')
  .as('internal_notifications')
  .use([middleware.internalKey('application'), throttle.internal])
