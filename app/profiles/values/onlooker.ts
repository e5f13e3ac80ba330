/** A caller who reads about other people, with their standing in the admin panel. */
export interface Onlooker {
  /** Manages all applications. */
  isGlobalAdmin: boolean
  holds(level: 'view', appCode: string): boolean
}

/**
 * Whether the caller may see logins into an application.
 */
export function seesLogins(onlooker: Onlooker, appCode: string): boolean {
  return onlooker.isGlobalAdmin || onlooker.holds('view', appCode)
}
