import type { AccessLevel } from '#app/permissions/values/access_level'
import type { TimeWindow } from '#app/permissions/values/time_window'

/** For one user in one application, across all resources. */
export const MAX_OVERRIDES = 10_000

export interface OverrideTarget {
  email: string
  appCode: string
  resourceType: string
  resourceId: string
}

export interface OverrideItem extends Partial<TimeWindow> {
  permissionId: number
  granted: boolean
  /** For grants of tiered permissions; null means `edit` (permissions.md#level-of-an-override). */
  accessLevel?: AccessLevel | null
  /** In CEL (permissions.md#conditions). */
  condition?: string | null
}

/** What a user gets on a resource. */
export interface OverrideList extends Omit<OverrideTarget, 'appCode'> {
  items: OverrideItem[]
}
