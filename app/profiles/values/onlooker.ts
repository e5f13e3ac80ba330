/** Who reads about other people: their standing in the admin panel. */
export interface Onlooker {
  /** Manages all applications. */
  isGlobalAdmin: boolean
  holds(level: 'view', appCode: string): boolean
}

/**
 * Whether somebody may see who came to an application: its administrators, and those who manage
 * all.
 */
export function seesLogins(onlooker: Onlooker, appCode: string): boolean {
  return onlooker.isGlobalAdmin || onlooker.holds('view', appCode)
}
