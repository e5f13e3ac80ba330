import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import type { CheckScope } from '#app/checks/values/check_scope'
import { decideNow } from '#app/checks/values/judgement'
import type { Circumstances } from '#tests/helpers/access_conditions'

export async function decided(
  resolver: CheckResolver,
  scope: CheckScope,
  permissions: string[],
  { now = Date.now(), attributes = {} }: Circumstances = {}
) {
  const judgements = await resolver.judge(scope, permissions, now)
  return judgements.map((judgement) => decideNow(judgement, attributes, now))
}
