import { evaluate } from '#app/checks/evaluate'
import type { AccessFacts, PermissionFacts } from '#app/checks/values/access_facts'
import { MANAGE_APPLICATIONS, PANEL_APPLICATION } from '#app/applications/values/panel'
import { Forbidden } from '#app/auth/exceptions'

export type PanelLevel = 'view' | 'edit'

export interface PanelFacts {
  /** Facts of the panel application without a resource. */
  panel: AccessFacts
  /** Codes of the applications the caller administers. */
  administratorOf: Set<string>
  /** Overrides of `applications.manage` by application code. */
  overrides: Map<string, NonNullable<PermissionFacts['override']>>
  hasManagerRole: boolean
}

/**
 * What a caller may do in the admin panel (authentication.md#panel-levels): the evaluator's own answer for `applications.manage` of the
 * panel application, plus what application administrators hold by themselves.
 */
export class PanelAccess {
  readonly #facts: PanelFacts

  constructor(facts: PanelFacts) {
    this.#facts = facts
  }

  get isSuperAdmin(): boolean {
    return this.#isActive && this.#facts.panel.superAdmin
  }

  /** Manages all applications, the panel's own and the platform's settings included. */
  get isGlobalAdmin(): boolean {
    return this.#globalLevel === 'edit'
  }

  /** May read other people's profiles and user records. */
  get mayReadUsers(): boolean {
    return this.isGlobalAdmin || this.#administersAny
  }

  /** Whether the panel shows this caller anything at all. */
  get hasAnyLevel(): boolean {
    const { overrides } = this.#facts
    return (
      this.#globalLevel !== null ||
      this.#administersAny ||
      [...overrides.keys()].some((appCode) => this.levelOn(appCode) !== null)
    )
  }

  /** The level on one application, null when the panel hides it. Says nothing of whether the application exists. */
  levelOn(appCode: string): PanelLevel | null {
    if (!this.#isActive) return null
    // Rights inside the panel's application are rights on the panel itself: nobody raises their own level.
    if (appCode === PANEL_APPLICATION) return this.isGlobalAdmin ? 'edit' : null
    if (this.#facts.administratorOf.has(appCode)) return 'edit'
    return this.#decide(this.#countingOverride(appCode))
  }

  holds(needed: PanelLevel, appCode: string): boolean {
    const level = this.levelOn(appCode)
    return level === 'edit' || level === needed
  }

  /** @throws Forbidden below that level on the application, whether or not it exists */
  require(needed: PanelLevel, appCode: string) {
    if (!this.holds(needed, appCode)) throw new Forbidden()
  }

  /** @throws Forbidden for anybody but a super admin */
  requireSuperAdmin() {
    if (!this.isSuperAdmin) throw new Forbidden()
  }

  get #isActive() {
    return this.#facts.panel.active !== false
  }

  get #administersAny() {
    return this.#isActive && this.#facts.administratorOf.size > 0
  }

  get #globalLevel(): PanelLevel | null {
    return this.#decide(null)
  }

  /** A grant on one application counts only together with the role that gives panel entry; a deny always does. */
  #countingOverride(appCode: string) {
    const override = this.#facts.overrides.get(appCode) ?? null
    return override?.granted && !this.#facts.hasManagerRole ? null : override
  }

  #decide(override: PermissionFacts['override']): PanelLevel | null {
    const { panel } = this.#facts
    const permission = panel.permissions.get(MANAGE_APPLICATIONS)
    const permissions = new Map(permission && [[MANAGE_APPLICATIONS, { ...permission, override }]])
    const { level } = evaluate({ ...panel, permissions }, MANAGE_APPLICATIONS)
    return level === 'allowed' ? null : level
  }
}
