import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { changeRolePermissions } from '#app/permissions/actions/change_role_permissions'
import { readMatrix } from '#app/permissions/queries/role_permission_matrix'
import { matrixResource } from '#app/permissions/transformers/matrix_resource'
import { matrixChangesValidator } from '#app/permissions/validators/role_validator'

/** See permissions.md#role-permission-matrix. */
export default class RolePermissionMatrixController {
  /** Get the permissions of all roles of an application. */
  async show(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const read = () => readFresh(ctx, (client) => readMatrix(application, client))
    const matrix = await inSearchTurn(ctx, read)
    return successEnvelope(tagged(ctx, matrixResource(matrix)))
  }

  /**
   * Change the permissions of roles. Either all changes are made or none. The response says how
   * many users each change affects; with `dryRun=true`, nothing changes.
   */
  async update(ctx: HttpContext) {
    const { changes } = await matrixChangesValidator.validate(ctx.request.body())
    const { dryRun = false } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, matrixResource) }
    const effects = await inChangeBudget(changerOf(ctx), () =>
      changeRolePermissions(textParam(ctx, 'appCode'), changes, options)
    )
    return successEnvelope({ dryRun, changes: effects })
  }
}
