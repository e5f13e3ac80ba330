import type { HttpContext } from '@adonisjs/core/http'
import { enclosed, success } from '#core/values/envelopes'
import { decisions } from '#app/checks/decisions'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { internalEffectivePermission } from '#app/checks/transformers/effective_permission'
import { CheckRequest } from '#app/checks/validators/check_request'

/** Checks by e-mail for servers in the private network (specification 4.5). */
export default class ChecksController {
  async check({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return enclosed({ allowed: await checkPermission(...body.single(body.email())) })
  }

  async bulk({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return enclosed(await checkPermissions(...body.bulk(body.email())))
  }

  async effective({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    const permissions = await listEffectivePermissions(body.effective(body.email()))
    return enclosed(permissions.map(internalEffectivePermission))
  }

  async explain({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return enclosed(await explainPermission(...body.single(body.email())))
  }

  async clearCache() {
    decisions.clear()
    return success({ cleared: true as const })
  }
}
