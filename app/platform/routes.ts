import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const { Brands, Languages, UserPools } = controllers.platform
const canView = middleware.panel('anyLevel')
const canEdit = [middleware.panel('globalAdmin'), middleware.json()]

router
  .group(() => {
    router.get('/brands', [Brands, 'index']).use(canView)
    router.post('/brands', [Brands, 'store']).use(canEdit)
    router.get('/brands/:id', [Brands, 'show']).use(canView)
    router.put('/brands/:id', [Brands, 'update']).use(canEdit)
    router.delete('/brands/:id', [Brands, 'destroy']).use(canEdit)

    router.get('/languages', [Languages, 'index']).use(canView)
    router.post('/languages', [Languages, 'store']).use(canEdit)
    router.put('/languages/:code', [Languages, 'update']).use(canEdit)
    router.delete('/languages/:code', [Languages, 'destroy']).use(canEdit)

    router.get('/user-pools', [UserPools, 'index']).use(canView)
    router.post('/user-pools', [UserPools, 'store']).use(canEdit)
    router.put('/user-pools/:id', [UserPools, 'update']).use(canEdit)
    router.delete('/user-pools/:id', [UserPools, 'destroy']).use(canEdit)
  })
  .prefix('/api/admin')
  .as('platform')
  .use([middleware.token(), throttle.token])
