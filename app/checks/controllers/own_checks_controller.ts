import type { HttpContext } from '@adonisjs/core/http'
import { ok } from '#core/values/envelopes'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { readAdminStatus } from '#app/checks/actions/read_admin_status'
import { ownEffectivePermission } from '#app/checks/transformers/effective_permission'
import { CheckRequest } from '#app/checks/validators/check_request'
import { checkScope } from '#app/checks/values/check_scope'

/**
 * The same checks for the caller's own rights: who is asked about comes from the token alone (specification 4.1).
 */
export default class OwnChecksController {
  async check({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    const scope = readScope(body, caller.email)
    const permission = body.text('permission')
    const level = body.level()
    body.finish()
    return { allowed: await checkPermission(scope, permission, level) }
  }

  async bulk({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    const scope = readScope(body, caller.email)
    const permissions = body.permissions()
    const level = body.level()
    body.finish()
    return checkPermissions(scope, permissions, level)
  }

  async effective({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    const scope = readScope(body, caller.email)
    body.finish()
    const permissions = await listEffectivePermissions(scope)
    return permissions.map(ownEffectivePermission)
  }

  async adminStatus({ caller }: HttpContext) {
    return ok(await readAdminStatus(caller.email))
  }
}

function readScope(body: CheckRequest, email: string) {
  return checkScope(
    email,
    body.text('app'),
    body.optionalText('resourceType'),
    body.optionalText('resourceId')
  )
}
