import type PushSubscription from '#app/notifications/models/push_subscription'

export type PushTarget = Pick<
  PushSubscription,
  'id' | 'userId' | 'endpoint' | 'p256Dh' | 'auth' | 'vapidPublicKey'
>
