/** A caller who reads about other people. */
export interface Onlooker {
  /** Manages all applications. */
  isGlobalAdmin: boolean
  holds(level: 'view', appCode: string): boolean
}

export function seesLogins(onlooker: Onlooker, appCode: string): boolean {
  return onlooker.isGlobalAdmin || onlooker.holds('view', appCode)
}
