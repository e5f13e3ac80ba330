import { evaluate } from '#app/checks/evaluate'
import { readFacts } from '#app/checks/actions/read_facts'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'

export class DatabaseResolver implements CheckResolver {
  async decide(scope: CheckScope, permissions: string[]): Promise<Decision[]> {
    const facts = await readFacts(scope, permissions)
    return permissions.map((permission) => evaluate(facts, permission))
  }
}
