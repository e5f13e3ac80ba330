import { judgeAll } from '#app/checks/actions/judge_all'
import { readFacts } from '#app/checks/actions/read_facts'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Judgement } from '#app/checks/values/judgement'

export class DatabaseResolver implements CheckResolver {
  async judge(scope: CheckScope, permissions: string[], now: number): Promise<Judgement[]> {
    return judgeAll(scope, permissions, await readFacts(scope, permissions, now))
  }
}
