import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { listValidator, readList } from '#core/http/lists'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { createRole } from '#app/permissions/actions/create_role'
import { deleteRole } from '#app/permissions/actions/delete_role'
import { updateRole } from '#app/permissions/actions/update_role'
import Role from '#app/permissions/models/role'
import { ROLE_TEXTS, rolesOf, withCounts } from '#app/permissions/queries/role_list'
import { listedRoleResource, roleResource } from '#app/permissions/transformers/role_resource'
import {
  createRoleValidator,
  updateRoleValidator,
} from '#app/permissions/validators/role_validator'

/** See permissions.md#role-record. */
export default class RolesController {
  /** List the roles of an application. Each one has the number of its users and permissions. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const request = await listValidator.validate(ctx.request.qs())
    const roles = await readList(ctx, (client) => rolesOf(application, client), request, ROLE_TEXTS)
    return successEnvelope(roles.map(withCounts).map(listedRoleResource))
  }

  /** Get a role. */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'roleId')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    return successEnvelope(tagged(ctx, roleResource(await Role.of(application, id))))
  }

  /** Create a role. */
  async store(ctx: HttpContext) {
    const fields = await createRoleValidator.validate(ctx.request.body())
    const role = await createRole(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(successEnvelope(tagged(ctx, roleResource(role))))
  }

  /** Update a role. Fields that are not sent stay as they are. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'roleId')
    const fields = await updateRoleValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, roleResource)
    const role = await updateRole(textParam(ctx, 'appCode'), id, fields, fresh)
    return successEnvelope(tagged(ctx, roleResource(role)))
  }

  /**
   * Delete a role. Its assignments are deleted with it. With `dryRun=true`, nothing is deleted and
   * the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const id = idParam(ctx, 'roleId')
    const options = { dryRun, requireFresh: ifMatch(ctx, roleResource) }
    const preview = await inChangeBudget(changerOf(ctx), () =>
      deleteRole(textParam(ctx, 'appCode'), id, options)
    )
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
