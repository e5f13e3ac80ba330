import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { listValidator } from '#core/http/lists'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { createPermission } from '#app/permissions/actions/create_permission'
import { deletePermission } from '#app/permissions/actions/delete_permission'
import { updatePermission } from '#app/permissions/actions/update_permission'
import Permission from '#app/permissions/models/permission'
import { listPermissions } from '#app/permissions/queries/permission_list'
import {
  listedPermissionResource,
  permissionResource,
} from '#app/permissions/transformers/permission_resource'
import {
  createPermissionValidator,
  permissionChangeValidator,
  updatePermissionValidator,
} from '#app/permissions/validators/permission_validator'

/** See permissions.md#permission-record. */
export default class PermissionsController {
  /** List the permissions of an application. Each one has the number of its uses. */
  async index(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const request = await listValidator.validate(ctx.request.qs())
    const permissions = await listPermissions(ctx, appCode, request)
    return successEnvelope(permissions.map(listedPermissionResource))
  }

  /** Get a permission. */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'permissionId')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const permission = await Permission.of(application, id)
    return successEnvelope(tagged(ctx, permissionResource(permission)))
  }

  /** Create a permission. */
  async store(ctx: HttpContext) {
    const fields = await createPermissionValidator.validate(ctx.request.body())
    const permission = await createPermission(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(successEnvelope(tagged(ctx, permissionResource(permission))))
  }

  /**
   * Update a permission. The type can change only while nothing uses the permission. While roles or
   * overrides use it, a new `code` needs `rename`; while overrides name it, `global` needs `force`.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'permissionId')
    const fields = await updatePermissionValidator.validate(ctx.request.body())
    const confirmed = await permissionChangeValidator.validate(ctx.request.qs())
    const permission = await updatePermission(
      textParam(ctx, 'appCode'),
      id,
      fields,
      confirmed,
      ifMatch(ctx, permissionResource)
    )
    return successEnvelope(tagged(ctx, permissionResource(permission)))
  }

  /**
   * Delete a permission. Its assignments are deleted with it. With `dryRun=true`, nothing is
   * deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const id = idParam(ctx, 'permissionId')
    const options = { dryRun, requireFresh: ifMatch(ctx, permissionResource) }
    const preview = await inChangeBudget(changerOf(ctx), () =>
      deletePermission(textParam(ctx, 'appCode'), id, options)
    )
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
