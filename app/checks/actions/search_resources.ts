import { preferReplica } from '#core/database/servers/replica'
import { currentTime } from '#core/values/clock'
import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { evaluate } from '#app/checks/evaluate'
import type { Check } from '#app/checks/actions/check_permissions'
import { evaluateInTurn } from '#app/checks/actions/decide_in_turn'
import { judgeEach } from '#app/checks/actions/judge_all'
import { readFacts } from '#app/checks/actions/read_facts'
import { type NamedResource, namedResources } from '#app/checks/actions/read_named_resources'
import { readStoredAttributes } from '#app/checks/actions/read_stored_attributes'
import {
  type Candidates,
  type FoundPage,
  type SearchPageRequest,
  searchCandidates,
} from '#app/checks/actions/search_candidates'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import type { AccessFacts } from '#app/checks/values/access_facts'
import {
  type Attributes,
  NO_ATTRIBUTES,
  type StoredAttributes,
  conditionVariables,
} from '#app/checks/values/attributes'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'
import { evaluateUnconditionally, holdsBy } from '#app/checks/values/judgement'

/** On which resources of a type a check is allowed. */
export interface ResourceSearch extends Omit<Check, 'scope'> {
  scope: Omit<CheckScope, 'resourceId'>
}

export interface FoundResources extends FoundPage<NamedResource> {
  /** Whether a resource that neither the catalog nor an override names is allowed. */
  everywhere: boolean
}

/**
 * Finds the resources on which a check is allowed, by id in byte order (checks.md#search). If it is
 * allowed everywhere, those on which it is denied are found, too.
 *
 * @param caller whose budget `count` uses
 * @throws ValidationError for a cursor of another search; Overloaded
 */
export async function searchResources(
  search: ResourceSearch,
  page: SearchPageRequest,
  caller: string
): Promise<FoundResources> {
  const { level, attributes: given = NO_ATTRIBUTES } = search
  const user = new UserOnResources(search, currentTime())
  return preferReplica(followedChanges.required, async () => {
    const everywhere = await user.isAllowedOnUnnamed(given, level)
    const found = await searchCandidates(await user.candidates(level), {
      circumstances: { given, now: user.now, level, reportsDenied: everywhere },
      page,
      searched: ['resources', search],
      caller,
    })
    return { everywhere, ...found }
  })
}

/** What a user can do, whatever the resource, and which resources make a difference. */
class UserOnResources {
  readonly #search: ResourceSearch
  readonly #scope: CheckScope
  readonly now: number
  #facts?: Promise<AccessFacts>
  #stored?: Promise<StoredAttributes>

  constructor(search: ResourceSearch, now: number) {
    this.#search = search
    this.#scope = checkScope(search.scope.email, search.scope.app)
    this.now = now
  }

  /** A condition that looks at the id of the resource does not hold for one without a name. */
  async isAllowedOnUnnamed(given: Attributes, level: AccessLevel | undefined): Promise<boolean> {
    const { permission, scope } = this.#search
    const facts = await this.#readFacts()
    const decision = evaluateUnconditionally(facts, permission)
    if (decision !== null) return satisfies(decision.level, level)
    const circumstances = { stored: await this.#readStored(), given, now: this.now }
    const variables = conditionVariables({ ...scope, resourceId: '' }, permission, circumstances)
    const unnamed = { ...variables, resource: { ...variables.resource, id: undefined } }
    const made = await evaluateInTurn(scope, (resultsOf) =>
      evaluate(facts, permission, holdsBy(resultsOf(unnamed)))
    )
    return satisfies(made.level, level)
  }

  async candidates(level: AccessLevel | undefined): Promise<Candidates<NamedResource>> {
    const { scope, permission } = this.#search
    const facts = await this.#readFacts()
    const readsCatalog = satisfies(evaluate(facts, permission, () => true).level, level)
    const readsProperties = evaluateUnconditionally(facts, permission) === null
    const reader = await namedResources({ scope, permission, now: this.now })
    return {
      list: (after, wanted) => reader({ after, wanted, readsCatalog, readsProperties }),
      judge: (resources) => this.#judge(resources, facts),
    }
  }

  #judge(resources: NamedResource[], facts: AccessFacts) {
    const { scope, permission } = this.#search
    const known = facts.permissions.get(permission)
    const questions = resources.map((resource) => ({
      scope: { ...scope, resourceId: resource.key },
      permission,
      facts: known
        ? {
            ...facts,
            permissions: new Map([[permission, { ...known, override: resource.override }]]),
          }
        : facts,
      resource,
    }))
    return judgeEach(questions, async () => {
      const stored = await this.#readStored()
      return ({ resource: { properties } }) => ({ ...stored, resource: properties })
    })
  }

  #readFacts() {
    return (this.#facts ??= readFacts(this.#scope, [this.#search.permission], this.now))
  }

  /** About the user. */
  #readStored() {
    return (this.#stored ??= readStoredAttributes(this.#scope))
  }
}
