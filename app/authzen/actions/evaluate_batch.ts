import { currentTime } from '#core/values/clock'
import { inParallel } from '#core/values/in_parallel'
import { inTurns } from '#app/checks/actions/decide_in_turn'
import { checkCounter } from '#app/checks/check_counter'
import { decisionLog } from '#app/checks/decision_log'
import { decisions } from '#app/checks/decisions'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import { type Judgement, decideNow } from '#app/checks/values/judgement'
import { hasResourceType } from '#app/authzen/actions/has_resource_type'
import { logUnknown } from '#app/authzen/actions/log_unknown'
import { resolveScope } from '#app/authzen/actions/resolve_scope'
import {
  type AccessRequest,
  type Batch,
  type RefusedRequest,
  type Semantic,
  attributesOf,
} from '#app/authzen/values/access_request'
import { type Outcome, isPermitted } from '#app/authzen/values/outcome'

/** How many are evaluated before the semantic can end the batch. */
const AT_A_TIME = 20
/** How many queries one batch runs at the same time. */
const QUERIES = 4

/**
 * Evaluates a batch in order until its semantic ends it (authzen.md#semantics).
 *
 * @returns one outcome per evaluated request
 * @throws ApplicationNotFound
 */
export async function evaluateBatch(
  appCode: string,
  { requests, semantic }: Batch
): Promise<Outcome[]> {
  const now = currentTime()
  const outcomes: Outcome[] = []
  // Invalid requests would not reveal that the application is unknown.
  if (requests.some(isRefused)) await hasResourceType(appCode, '')
  for (let start = 0; start < requests.length; start += AT_A_TIME) {
    const some = await evaluateSome(appCode, requests.slice(start, start + AT_A_TIME), now)
    const last = some.findIndex((outcome) => ends(semantic, outcome))
    if (last !== -1) return [...outcomes, ...some.slice(0, last + 1)]
    outcomes.push(...some)
  }
  return outcomes
}

function ends(semantic: Semantic, outcome: Outcome): boolean {
  switch (semantic) {
    case 'execute_all':
      return false
    case 'deny_on_first_deny':
      return !isPermitted(outcome)
    case 'permit_on_first_permit':
      return isPermitted(outcome)
  }
}

interface Located {
  request: AccessRequest
  scope: CheckScope
}

async function evaluateSome(
  appCode: string,
  requests: Batch['requests'],
  now: number
): Promise<Outcome[]> {
  const found = await inParallel(requests, QUERIES, async (request) =>
    isRefused(request) ? request : { request, scope: await resolveScope(appCode, request) }
  )
  const located = found.filter((one) => 'scope' in one && !('unknown' in one.scope)) as Located[]
  const start = performance.now()
  const isCached = decisionLog.isOn ? located.map((one) => isKnown(one, now)) : []
  const judgements = await judge(located, now)
  const decided = await inTurns(judgements, (judgement, nth, resultsOf) =>
    decideNow(judgement, attributesOf(located[nth].request), now, resultsOf)
  )
  checkCounter.add(appCode, decided)
  if (decisionLog.isOn) {
    const duration = performance.now() - start
    for (const [nth, { scope, request }] of located.entries()) {
      const about = { scope, permission: request.action.name, level: undefined }
      decisionLog.add({ ...about, decision: decided[nth], cached: isCached[nth], duration })
    }
  }
  for (const one of found) {
    if ('scope' in one && 'unknown' in one.scope) logUnknown(appCode, one.request)
  }
  const decisionOf = new Map<object, Decision>(located.map((one, nth) => [one, decided[nth]]))
  return found.map((one) => {
    if (isRefused(one)) return one
    return 'unknown' in one.scope ? one.scope : decisionOf.get(one)!
  })
}

const isKnown = ({ scope, request }: Located, now: number) =>
  decisions.areCached(scope, [request.action.name], now)[0]

/** Actions of one subject on one resource share a query. */
async function judge(located: Located[], now: number): Promise<Judgement[]> {
  const judgements = new Map<Located, Judgement>()
  const groups = Map.groupBy(located, ({ scope }) => JSON.stringify(scope))
  await inParallel([...groups.values()], QUERIES, async (group) => {
    const permissions = group.map(({ request }) => request.action.name)
    const judged = await decisions.judge(group[0].scope, permissions, now)
    for (const [nth, one] of group.entries()) judgements.set(one, judged[nth])
  })
  return located.map((one) => judgements.get(one)!)
}

function isRefused(request: object): request is RefusedRequest {
  return 'message' in request
}
