/** How many browsers of one person are kept and sent to: the newest ones. */
export const MAX_SUBSCRIPTIONS = 20
