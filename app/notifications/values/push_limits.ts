/** How many browsers of one person are kept and served: the newest ones. */
export const MAX_SUBSCRIPTIONS = 20
