import type PushSubscription from '#app/notifications/models/push_subscription'

/** What pushing to a browser takes. */
export type PushTarget = Pick<PushSubscription, 'id' | 'userId' | 'endpoint' | 'p256Dh' | 'auth'>
