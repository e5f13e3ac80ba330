/**
 * What a check is about, apart from the permission. The resource fields are both given or both
 * empty: with only one of them, the check is global (checks.md#resource-of-a-check).
 */
export interface CheckScope {
  /** Canonical e-mail address. */
  email: string
  app: string
  resourceType: string
  resourceId: string
}

export function checkScope(
  email: string,
  app: string,
  resourceType?: string,
  resourceId?: string
): CheckScope {
  const hasResource = Boolean(resourceType && resourceId)
  return {
    email,
    app,
    resourceType: hasResource ? resourceType! : '',
    resourceId: hasResource ? resourceId! : '',
  }
}
