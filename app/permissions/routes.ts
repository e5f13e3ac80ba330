import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

const {
  Assignments,
  Permissions,
  Roles,
  RolePermissions,
  RolePermissionMatrix,
  UserRoles,
  Overrides,
  SuperAdmins,
  ApplicationAdmins,
} = controllers.permissions
const canView = [middleware.inTurn(), middleware.panel('view')]
const canList = [...canView, middleware.freshness()]
const canEdit = [middleware.panel('edit'), middleware.json()]
/** Changes that return a whole list. */
const canEditList = [...canEdit, middleware.inTurn()]
const isSuperAdmin = middleware.panel('superAdmin')

router
  .group(() => {
    router.get('/assignments', [Assignments, 'index']).use(canList)
    router
      .post('/assignments/import', [Assignments, 'import'])
      .use([middleware.panel('edit'), middleware.json({ csv: true })])

    router.get('/permissions', [Permissions, 'index']).use(canList)
    router.post('/permissions', [Permissions, 'store']).use(canEdit)
    router.get('/permissions/:permissionId', [Permissions, 'show']).use(canView)
    router.put('/permissions/:permissionId', [Permissions, 'update']).use(canEdit)
    router.delete('/permissions/:permissionId', [Permissions, 'destroy']).use(canEdit)

    router.get('/role-permissions', [RolePermissionMatrix, 'show']).use(canList)
    router.patch('/role-permissions', [RolePermissionMatrix, 'update']).use(canEditList)

    router.get('/roles', [Roles, 'index']).use(canList)
    router.post('/roles', [Roles, 'store']).use(canEdit)
    router.get('/roles/:roleId', [Roles, 'show']).use(canView)
    router.put('/roles/:roleId', [Roles, 'update']).use(canEdit)
    router.delete('/roles/:roleId', [Roles, 'destroy']).use(canEdit)
    router.get('/roles/:roleId/permissions', [RolePermissions, 'index']).use(canList)
    router.put('/roles/:roleId/permissions', [RolePermissions, 'update']).use(canEditList)
  })
  .prefix('/api/applications/:appCode')
  .as('permissions')
  .use([middleware.token(), throttle.token])

router
  .group(() => {
    router.get('/admins', [SuperAdmins, 'index']).use([isSuperAdmin, middleware.freshness()])
    router.post('/admins', [SuperAdmins, 'store']).use([isSuperAdmin, middleware.json()])
    router.delete('/admins/:email', [SuperAdmins, 'destroy']).use([isSuperAdmin, middleware.json()])

    router.get('/admins/apps/:appCode', [ApplicationAdmins, 'index']).use(canList)
    router.post('/admins/apps/:appCode', [ApplicationAdmins, 'store']).use(canEdit)
    router.delete('/admins/apps/:appCode/:email', [ApplicationAdmins, 'destroy']).use(canEdit)

    router.get('/:email/apps/:appCode/roles', [UserRoles, 'index']).use(canList)
    router.put('/:email/apps/:appCode/roles', [UserRoles, 'update']).use(canEditList)
    router.get('/:email/apps/:appCode/resources', [Overrides, 'index']).use(canList)
    router
      .get('/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions', [
        Overrides,
        'show',
      ])
      .use(canView)
    router
      .put('/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions', [
        Overrides,
        'update',
      ])
      .use(canEditList)
  })
  .prefix('/api/users')
  .as('assignments')
  .use([middleware.token(), throttle.token])
