/** Per person; the newest are kept. */
export const MAX_SUBSCRIPTIONS = 20
