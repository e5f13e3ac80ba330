import type PushSubscription from '#app/notifications/models/push_subscription'

/** The data needed to push to a browser. */
export type PushTarget = Pick<PushSubscription, 'id' | 'userId' | 'endpoint' | 'p256Dh' | 'auth'>
