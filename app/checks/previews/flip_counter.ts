import type { Turns } from '#core/values/turns'
import type { Comparison } from '#app/checks/previews/comparison'
import type { Judge } from '#app/checks/previews/judge'
import type { ComparedPermission } from '#app/checks/previews/permission_flips'
import { type ResourceName, keyOf } from '#app/checks/previews/rights'
import { type Verdict, changeOf } from '#app/checks/previews/verdict'

export interface FlipCounts {
  gained: number
  lost: number
  /** Decisions that do not flip, but can with attributes that the request gives. */
  conditional: number
}

interface Resources {
  /** How many there are. */
  size: number
  /** All of them if conditions matter; otherwise none. */
  all: ResourceName[]
}

/** Counts flips without listing them: there can be millions of resources. */
export class FlipCounter {
  readonly counts: FlipCounts = { gained: 0, lost: 0, conditional: 0 }
  readonly #resources: Resources
  readonly #judge: Judge
  readonly #turns: Turns
  /** Of comparisons that are the same for all users, on all resources. */
  readonly #known = new WeakMap<Comparison, FlipCounts>()

  constructor(resources: Resources, judge: Judge, turns: Turns) {
    this.#resources = resources
    this.#judge = judge
    this.#turns = turns
  }

  /** @throws PreviewTooLarge */
  async add(compared: ComparedPermission) {
    const { comparison, exceptions } = compared
    for (const { verdict } of exceptions.values()) {
      if (verdict) addVerdict(this.counts, verdict)
    }
    if (comparison.isSame) return
    if (comparison.verdict) {
      // And the application as a whole.
      addVerdict(this.counts, comparison.verdict, this.#resources.size - exceptions.size + 1)
    } else await this.#addConditional(compared)
  }

  async #addConditional(compared: ComparedPermission) {
    const { comparison, exceptions } = compared
    if (comparison.looksAtSubject) {
      return addCounts(this.counts, await this.#count(compared))
    }
    let everywhere = this.#known.get(comparison)
    if (!everywhere) {
      everywhere = await this.#count({ ...compared, exceptions: new Map() })
      this.#known.set(comparison, everywhere)
    }
    addCounts(this.counts, everywhere)
    for (const { resource } of exceptions.values()) {
      addVerdict(this.counts, this.#verdictOn(compared, resource), -1)
    }
  }

  async #count(compared: ComparedPermission): Promise<FlipCounts> {
    const counts = { gained: 0, lost: 0, conditional: 0 }
    addVerdict(counts, this.#verdictOn(compared, null))
    for (const resource of this.#resources.all) {
      if (compared.exceptions.has(keyOf(resource))) continue
      addVerdict(counts, this.#verdictOn(compared, resource))
      if (this.#turns.isOver) await this.#turns.next()
    }
    return counts
  }

  #verdictOn({ user, comparison }: ComparedPermission, resource: ResourceName | null): Verdict {
    const { permission, facts } = comparison
    return resource === null
      ? this.#judge.inApplication(user, permission, facts)
      : this.#judge.onResource(user, permission, facts, resource)
  }
}

function addVerdict(counts: FlipCounts, verdict: Verdict, times = 1) {
  const change = changeOf(verdict)
  if (change > 0) counts.gained += times
  else if (change < 0) counts.lost += times
  else if (verdict.pending) counts.conditional += times
}

function addCounts(counts: FlipCounts, added: FlipCounts) {
  counts.gained += added.gained
  counts.lost += added.lost
  counts.conditional += added.conditional
}
