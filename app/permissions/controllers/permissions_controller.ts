import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import {
  createPermission,
  deletePermission,
  updatePermission,
} from '#app/permissions/actions/save_permission'
import Permission from '#app/permissions/models/permission'
import { permissionResource } from '#app/permissions/transformers/permission'
import {
  createPermissionValidator,
  updatePermissionValidator,
} from '#app/permissions/validators/permission_validator'

/** See permissions.md#permission-record. */
export default class PermissionsController {
  /** Lists the permissions of an application. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const permissions = await Permission.query()
      .where('applicationId', application.id)
      .orderBy('id')
    return successEnvelope(permissions.map(permissionResource))
  }

  /** Reads a permission. */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'permissionId')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    return successEnvelope(permissionResource(await Permission.of(application.id, id)))
  }

  /** Creates a permission. */
  async store(ctx: HttpContext) {
    const fields = await createPermissionValidator.validate(ctx.request.body())
    const permission = await createPermission(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(successEnvelope(permissionResource(permission)))
  }

  /** Changes a permission; its type only while nothing uses it. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'permissionId')
    const fields = await updatePermissionValidator.validate(ctx.request.body())
    const permission = await updatePermission(textParam(ctx, 'appCode'), id, fields)
    return successEnvelope(permissionResource(permission))
  }

  /** Deletes a permission with its assignments. */
  async destroy(ctx: HttpContext) {
    await deletePermission(textParam(ctx, 'appCode'), idParam(ctx, 'permissionId'))
    return ctx.response.noContent()
  }
}
