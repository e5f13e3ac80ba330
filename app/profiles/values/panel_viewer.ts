/** A caller who reads about other users. */
export interface PanelViewer {
  isGlobalAdmin: boolean
  holds(level: 'view', appCode: string): boolean
}

export function canSeeLogins(onlooker: PanelViewer, appCode: string): boolean {
  return onlooker.isGlobalAdmin || onlooker.holds('view', appCode)
}
