import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Applications, ApplicationBrands, Entities, Instances, Keys, Resources } =
  controllers.applications
const canView = [middleware.inTurn(), middleware.panel('view')]
const canList = [...canView, middleware.freshness()]
const canEdit = middleware.panel('edit')

router
  .group(() => {
    router
      .get('/', [Applications, 'index'])
      .use([middleware.panel('nothing'), middleware.freshness()])
    router
      .post('/', [Applications, 'store'])
      .use([middleware.panel('globalAdmin'), middleware.json()])
    router.get('/:appCode', [Applications, 'show']).use(canView)
    router.put('/:appCode', [Applications, 'update']).use([canEdit, middleware.json()])
    router
      .delete('/:appCode', [Applications, 'destroy'])
      .use([middleware.panel('globalAdmin'), middleware.json()])

    router.get('/:appCode/brands', [ApplicationBrands, 'index']).use(canView)
    router.put('/:appCode/brands', [ApplicationBrands, 'update']).use([canEdit, middleware.json()])

    router.get('/:appCode/entities', [Entities, 'index']).use(canList)
    router.post('/:appCode/entities', [Entities, 'store']).use([canEdit, middleware.json()])
    router.get('/:appCode/entities/:id', [Entities, 'show']).use(canView)
    router.put('/:appCode/entities/:id', [Entities, 'update']).use([canEdit, middleware.json()])
    router.delete('/:appCode/entities/:id', [Entities, 'destroy']).use([canEdit, middleware.json()])
    router
      .get('/:appCode/entities/:entityCode/items', [Entities, 'items'])
      .use(middleware.panel('view'))

    router.get('/:appCode/entities/:id/resources', [Resources, 'index']).use(canList)
    router
      .put('/:appCode/entities/:id/resources', [Resources, 'update'])
      .use([canEdit, middleware.json()])
    router
      .post('/:appCode/entities/:id/resources/delete', [Resources, 'destroy'])
      .use([canEdit, middleware.json()])

    router.get('/:appCode/instances', [Instances, 'index']).use(canView)
    router.post('/:appCode/instances', [Instances, 'store']).use([canEdit, middleware.json()])
    router.put('/:appCode/instances/:id', [Instances, 'update']).use([canEdit, middleware.json()])
    router
      .post('/:appCode/instances/:id/approve', [Instances, 'approve'])
      .use([middleware.panel('superAdmin'), middleware.json()])
    router
      .delete('/:appCode/instances/:id', [Instances, 'destroy'])
      .use([canEdit, middleware.json()])

    router.get('/:appCode/keys', [Keys, 'index']).use(canEdit)
    router.post('/:appCode/keys', [Keys, 'store']).use([canEdit, middleware.json()])
    router.delete('/:appCode/keys/:id', [Keys, 'destroy']).use([canEdit, middleware.json()])
  })
  .prefix('/api/applications')
  .as('applications')
  .use([middleware.token(), throttle.token])

router
  .group(() => {
    router.get('/', [Resources, 'indexInternal']).use([middleware.inTurn(), middleware.freshness()])
    router.put('/', [Resources, 'updateInternal']).use(middleware.json())
    router.post('/delete', [Resources, 'destroyInternal']).use(middleware.json())
  })
  .prefix('/api/internal/applications/:appCode/entities/:code/resources')
  .as('internal_resources')
  .use([middleware.internalKey('application'), throttle.internal])
