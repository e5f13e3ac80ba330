import { PushLimitSource } from '#app/notifications/background/push_limit_source'

export const notificationWork = [new PushLimitSource()]
