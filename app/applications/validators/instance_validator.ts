import vine from '@vinejs/vine'
import { label, notNull } from '#core/validation/fields'
import { redirectUrl } from '#core/validation/redirect_url'

const instanceUrls = () => vine.array(redirectUrl()).maxLength(100).use(notNull()).optional()

export const createInstanceValidator = vine.create({
  name: label(),
  baseUrl: redirectUrl(),
  callbackUrls: instanceUrls(),
  postLogoutUrls: instanceUrls(),
})

export const updateInstanceValidator = vine.create({
  name: label().use(notNull()).optional(),
  baseUrl: redirectUrl().use(notNull()).optional(),
  callbackUrls: instanceUrls(),
  postLogoutUrls: instanceUrls(),
})

const seenUrl = () => vine.string().maxLength(2_048)
const seenUrls = () => vine.array(seenUrl()).maxLength(100).optional()

/** Compared, never stored, so URLs saved under earlier rules are accepted too. */
export const approveInstanceValidator = vine.create({
  baseUrl: seenUrl().optional(),
  callbackUrls: seenUrls(),
  postLogoutUrls: seenUrls(),
})
