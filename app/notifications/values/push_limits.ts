/** Per user; the newest are kept. */
export const MAX_SUBSCRIPTIONS = 20
