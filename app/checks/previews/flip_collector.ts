import type { Turns } from '#core/values/turns'
import { byBytes } from '#core/values/byte_order'
import type { Judge } from '#app/checks/previews/judge'
import type { ComparedPermission } from '#app/checks/previews/permission_flips'
import { type Stretch, byName } from '#app/checks/previews/resource_space'
import { type ResourceName, keyOf } from '#app/checks/previews/rights'
import { type Verdict, changeOf } from '#app/checks/previews/verdict'

/** A decision whose level the changes raise or lower. */
export interface Flip {
  email: string
  permission: string
  /** Null for the application as a whole. */
  resource: ResourceName | null
  verdict: Verdict
}

/** After a flip, or after a resource on which nothing flips. */
export type FlipPosition = Pick<Flip, 'email' | 'permission' | 'resource'>

/** Stretches of the resources, which are read before the flips are collected. */
export interface KnownResources {
  /** All of them, if conditions matter. */
  all: Stretch | null
  /** The first ones. */
  first: Stretch
  /** Those after the resource of the cursor. */
  next: Stretch
}

/** Collects one page of flips, by address, permission and resource. */
export class FlipCollector {
  readonly flips: Flip[] = []
  /** Where the page ends early, because no more resources were read. */
  stoppedAt: FlipPosition | null = null
  readonly #after: FlipPosition | null
  readonly #room: number
  readonly #resources: KnownResources
  readonly #judge: Judge
  readonly #turns: Turns

  /**
   * @param after where the page before ended
   * @param room how many flips to collect
   */
  constructor(
    { after, room }: { after: FlipPosition | null; room: number },
    { resources, judge, turns }: { resources: KnownResources; judge: Judge; turns: Turns }
  ) {
    this.#after = after
    this.#room = room
    this.#resources = resources
    this.#judge = judge
    this.#turns = turns
  }

  get isDone(): boolean {
    return this.flips.length >= this.#room || this.stoppedAt !== null
  }

  /** Permissions come in order. */
  async add(compared: ComparedPermission) {
    const from = this.#beginningIn(compared)
    if (from === 'passed') return
    const { comparison } = compared
    if (from === null && !comparison.isSame) this.#offer(compared, null)
    const after = from === null ? null : from.resource
    if (comparison.isSame || (comparison.verdict && changeOf(comparison.verdict) === 0)) {
      this.#addExceptions(compared, after)
    } else await this.#addResources(compared, after)
  }

  /** Null from the beginning. */
  #beginningIn({ user, comparison }: ComparedPermission): FlipPosition | 'passed' | null {
    const after = this.#after
    if (after === null || user.before.email !== after.email) return null
    const order = byBytes(comparison.permission, after.permission)
    return order < 0 ? 'passed' : order === 0 ? after : null
  }

  #addExceptions(compared: ComparedPermission, after: ResourceName | null) {
    for (const { resource } of compared.exceptions.values()) {
      if (after === null || byName(resource, after) > 0) this.#offer(compared, resource)
      if (this.isDone) return
    }
  }

  async #addResources(compared: ComparedPermission, after: ResourceName | null) {
    const { all, first, next } = this.#resources
    const stretch = all ?? (after === null ? first : next)
    for (const resource of stretch.resources) {
      if (this.isDone) return
      if (all && after !== null && byName(resource, after) <= 0) continue
      this.#offer(compared, { type: resource.type, id: resource.id })
      if (this.#turns.isOver) await this.#turns.next()
    }
    if (this.isDone || stretch.isLast) return
    const { type, id } = stretch.resources.at(-1)!
    this.stoppedAt = this.#positionOf(compared, { type, id })
  }

  #offer(compared: ComparedPermission, resource: ResourceName | null) {
    if (this.isDone) return
    const verdict = this.#verdictOn(compared, resource)
    if (verdict === null || changeOf(verdict) === 0) return
    this.flips.push({ ...this.#positionOf(compared, resource), verdict })
  }

  #positionOf({ user, comparison }: ComparedPermission, resource: ResourceName | null) {
    return { email: user.before.email, permission: comparison.permission, resource }
  }

  #verdictOn(
    { user, comparison, exceptions }: ComparedPermission,
    resource: ResourceName | null
  ): Verdict | null {
    const { permission, facts, verdict } = comparison
    const exception = resource === null ? undefined : exceptions.get(keyOf(resource))
    if (exception) return exception.verdict
    if (verdict) return verdict
    return resource === null
      ? this.#judge.inApplication(user, permission, facts)
      : this.#judge.onResource(user, permission, facts, resource)
  }
}
