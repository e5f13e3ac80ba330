import type { TotalCost } from '#app/permissions/conditions/condition_results'
import { requireWithin } from '#app/checks/previews/preview_too_large'
import { type ComparedRights, type ResourceName, keyOf } from '#app/checks/previews/rights'
import {
  type BothFacts,
  type Verdict,
  judge,
  judgeUnconditionally,
} from '#app/checks/previews/verdict'

type Properties = Record<string, unknown>

const NOTHING: Properties = Object.freeze({})

/** Evaluates conditions with what is stored (checks.md#attributes). */
export class Judge {
  readonly #app: string
  readonly #now: number
  readonly #stored: ReadonlyMap<string, string>
  readonly #parsed = new Map<string, Properties>()
  readonly #spent: TotalCost = { units: 0 }
  #evaluations = 0

  /**
   * @param stored the properties of resources by `keyOf`, as JSON
   * @param now in milliseconds
   */
  constructor(app: string, stored: ReadonlyMap<string, string>, now: number) {
    this.#app = app
    this.#stored = stored
    this.#now = now
  }

  /** Of the application as a whole. @throws PreviewTooLarge */
  inApplication(user: ComparedRights, permission: string, facts: BothFacts): Verdict {
    return this.#judge(user, permission, facts, null)
  }

  /** @throws PreviewTooLarge */
  onResource(
    user: ComparedRights,
    permission: string,
    facts: BothFacts,
    resource: ResourceName
  ): Verdict {
    return this.#judge(user, permission, facts, resource)
  }

  #judge(
    { before: { email, subjectId } }: ComparedRights,
    permission: string,
    facts: BothFacts,
    resource: ResourceName | null
  ): Verdict {
    const unconditional = judgeUnconditionally(facts, permission)
    if (unconditional) return unconditional
    requireWithin('conditions', ++this.#evaluations)
    requireWithin('conditionCost', this.#spent.units)
    const { type: resourceType, id: resourceId } = resource ?? { type: '', id: '' }
    return judge(facts, permission, {
      scope: { email, app: this.#app, resourceType, resourceId },
      stored: { subjectId, resource: resource ? this.#propertiesOf(resource) : NOTHING },
      now: this.#now,
      spent: this.#spent,
    })
  }

  #propertiesOf(resource: ResourceName): Properties {
    const key = keyOf(resource)
    const known = this.#parsed.get(key)
    if (known) return known
    const json = this.#stored.get(key)
    const properties = json === undefined ? NOTHING : (JSON.parse(json) as Properties)
    this.#parsed.set(key, properties)
    return properties
  }
}
