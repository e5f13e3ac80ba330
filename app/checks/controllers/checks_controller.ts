import type { HttpContext } from '@adonisjs/core/http'
import { enclosed, success } from '#core/values/envelopes'
import { decisions } from '#app/checks/decisions'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { internalEffectivePermission } from '#app/checks/transformers/effective_permission'
import { CheckRequest } from '#app/checks/validators/check_request'
import { checkScope } from '#app/checks/values/check_scope'

/** Checks by e-mail for servers in the private network (specification 4.5). */
export default class ChecksController {
  async check({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    const scope = readScope(body)
    const permission = body.text('permission')
    const level = body.level()
    body.finish()
    return enclosed({ allowed: await checkPermission(scope, permission, level) })
  }

  async bulk({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    const scope = readScope(body)
    const permissions = body.permissions()
    const level = body.level()
    body.finish()
    return enclosed(await checkPermissions(scope, permissions, level))
  }

  async effective({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    const scope = readScope(body)
    body.finish()
    const permissions = await listEffectivePermissions(scope)
    return enclosed(permissions.map(internalEffectivePermission))
  }

  async clearCache() {
    decisions.clear()
    return success({ cleared: true as const })
  }
}

function readScope(body: CheckRequest) {
  return checkScope(
    body.email(),
    body.text('app'),
    body.optionalText('resourceType'),
    body.optionalText('resourceId')
  )
}
