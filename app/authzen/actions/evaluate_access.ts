import { decidePermission } from '#app/checks/actions/check_permissions'
import { logUnknown } from '#app/authzen/actions/log_unknown'
import { resolveScope } from '#app/authzen/actions/resolve_scope'
import { type AccessRequest, attributesOf } from '#app/authzen/values/access_request'
import type { Outcome } from '#app/authzen/values/outcome'

/** Decides as a check does (authzen.md#evaluation). @throws ApplicationNotFound */
export async function evaluateAccess(appCode: string, request: AccessRequest): Promise<Outcome> {
  const scope = await resolveScope(appCode, request)
  if ('unknown' in scope) {
    logUnknown(appCode, request)
    return scope
  }
  const attributes = attributesOf(request)
  return decidePermission({ scope, permission: request.action.name, attributes })
}
