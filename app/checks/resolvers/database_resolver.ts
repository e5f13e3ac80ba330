import { preferReplica } from '#core/database/servers/replica'
import { judgeAll } from '#app/checks/actions/judge_all'
import { readFacts } from '#app/checks/actions/read_facts'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Judgement } from '#app/checks/values/judgement'

/** Reads the replica if it reflects every change that this process knows of. */
export class DatabaseResolver implements CheckResolver {
  judge(scope: CheckScope, permissions: string[], now: number): Promise<Judgement[]> {
    return preferReplica(followedChanges.required, async () =>
      judgeAll(scope, permissions, await readFacts(scope, permissions, now))
    )
  }
}
