import { currentTime } from '#core/values/clock'
import { checkCounter } from '#app/checks/check_counter'
import { decisions } from '#app/checks/decisions'
import { decideNow } from '#app/checks/values/judgement'
import { locate } from '#app/authzen/actions/locate'
import { type AccessRequest, attributesOf } from '#app/authzen/values/access_request'
import type { Outcome } from '#app/authzen/values/outcome'

/** Decides as a check does (authzen.md#evaluation). @throws ApplicationNotFound */
export async function evaluateAccess(appCode: string, request: AccessRequest): Promise<Outcome> {
  const scope = await locate(appCode, request)
  if ('unknown' in scope) return scope
  const now = currentTime()
  const permission = request.action.name
  const judgement =
    decisions.findCached(scope, permission, now) ??
    (await decisions.judge(scope, [permission], now))[0]
  const decision = decideNow(judgement, attributesOf(request), now)
  checkCounter.add(appCode, [decision])
  return decision
}
