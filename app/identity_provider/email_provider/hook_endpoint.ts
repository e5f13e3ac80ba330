import { appUrl } from '#config/app'

/** Where the identity provider posts its e-mails to. */
export const hookEndpoint = `${appUrl.replace(/\/$/, '')}/api/idp/notifications/email`
