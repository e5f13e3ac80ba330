import webPushConfig from '#config/web_push'

/** Null without VAPID keys, outside production only. */
export const currentVapidKey = webPushConfig.vapid?.publicKey ?? null

/**
 * Whether push services accept this service's messages for a subscription. An unknown key is taken
 * for the current one (delivery.md#subscription-keys).
 */
export const hasCurrentKey = ({ vapidPublicKey }: { vapidPublicKey: string | null }) =>
  vapidPublicKey === null || vapidPublicKey === currentVapidKey
