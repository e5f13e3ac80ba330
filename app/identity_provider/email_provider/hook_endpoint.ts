import { appUrl } from '#config/app'

export const hookEndpoint = `${appUrl.replace(/\/$/, '')}/api/idp/notifications/email`
