import { evaluate } from '#app/checks/evaluate'
import type { Administration } from '#app/checks/actions/list_administrable_applications'
import type { AccessFacts, PermissionFacts } from '#app/checks/values/access_facts'
import { MANAGE_APPLICATIONS, PANEL_APPLICATION } from '#app/applications/values/panel'
import { Forbidden } from '#app/auth/exceptions'

export type PanelLevel = 'view' | 'edit'

export interface PanelFacts {
  panel: AccessFacts
  administratorOf: Set<string>
  /** By application code. */
  overrides: Map<string, NonNullable<PermissionFacts['override']>>
  hasManagerRole: boolean
}

/** What a caller can do in the admin panel (authentication.md#panel-levels). */
export class PanelAccess {
  readonly #facts: PanelFacts

  constructor(facts: PanelFacts) {
    this.#facts = facts
  }

  get isSuperAdmin(): boolean {
    return this.#isActive && this.#facts.panel.superAdmin
  }

  /** Manages all applications, including the panel's own, and the platform's settings. */
  get isGlobalAdmin(): boolean {
    return this.#globalLevel === 'edit'
  }

  get mayReadUsers(): boolean {
    return this.isGlobalAdmin || this.#administersAny
  }

  get hasAnyLevel(): boolean {
    const { overrides } = this.#facts
    return (
      this.#globalLevel !== null ||
      this.#administersAny ||
      [...overrides.keys()].some((appCode) => this.levelOn(appCode) !== null)
    )
  }

  /** Null when the panel hides the application. It may not exist. */
  levelOn(appCode: string): PanelLevel | null {
    if (!this.#isActive) return null
    // Otherwise, users with permissions in the panel's application could raise their own level.
    if (appCode === PANEL_APPLICATION) return this.isGlobalAdmin ? 'edit' : null
    if (this.#facts.administratorOf.has(appCode)) return 'edit'
    return this.#decide(this.#effectiveOverride(appCode))
  }

  /** Null when the panel hides the application. */
  administrationOf(appCode: string): Administration | null {
    const level = this.levelOn(appCode)
    if (level === null) return null
    if (this.isSuperAdmin) return { level, via: 'super_admin' }
    const isAdministrator = this.#facts.administratorOf.has(appCode)
    return { level, via: isAdministrator ? 'application_admin' : 'panel' }
  }

  holds(needed: PanelLevel, appCode: string): boolean {
    const level = this.levelOn(appCode)
    return level === 'edit' || level === needed
  }

  /** Whether it permits everything that the other permits. */
  includes(other: PanelAccess): boolean {
    if (other.isSuperAdmin && !this.isSuperAdmin) return false
    if (rankOf(this.#globalLevel) < rankOf(other.#globalLevel)) return false
    if (other.#administersAny && !this.mayReadUsers) return false
    const appCodes = [...this.#namedApplications, ...other.#namedApplications]
    return appCodes.every((code) => rankOf(this.levelOn(code)) >= rankOf(other.levelOn(code)))
  }

  /** @throws Forbidden below that level, whether or not the application exists */
  require(needed: PanelLevel, appCode: string) {
    if (this.holds(needed, appCode)) return
    throw new Forbidden({ details: { needs: { application: appCode, level: needed } } })
  }

  requireSuperAdmin() {
    if (!this.isSuperAdmin) throw new Forbidden({ details: { needs: { superAdmin: true } } })
  }

  get #isActive() {
    return this.#facts.panel.active !== false
  }

  get #administersAny() {
    return this.#isActive && this.#facts.administratorOf.size > 0
  }

  /** Elsewhere, the global level decides. */
  get #namedApplications() {
    const { administratorOf, overrides } = this.#facts
    return [PANEL_APPLICATION, ...administratorOf, ...overrides.keys()]
  }

  get #globalLevel(): PanelLevel | null {
    return this.#decide(null)
  }

  /** A grant requires the role that gives access to the panel; a denial always applies. */
  #effectiveOverride(appCode: string) {
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

const RANKS = { none: 0, view: 1, edit: 2 }
const rankOf = (level: PanelLevel | null) => RANKS[level ?? 'none']
