import vine from '@vinejs/vine'
import { label } from '#core/validation/fields'
import { maxJsonBytes } from '#core/validation/json_fields'
import { redirectUrl } from '#core/validation/redirect_url'

/** Of the URLs of one kind together, so that lists of instances stay small. */
const MAX_URLS_BYTES = 16_384

const instanceUrls = () =>
  vine.array(redirectUrl()).maxLength(100).use(maxJsonBytes(MAX_URLS_BYTES)).optional()

export const createInstanceValidator = vine.create({
  name: label(),
  baseUrl: redirectUrl(),
  callbackUrls: instanceUrls(),
  postLogoutUrls: instanceUrls(),
})

export const updateInstanceValidator = vine.create({
  name: label().optional(),
  baseUrl: redirectUrl().optional(),
  callbackUrls: instanceUrls(),
  postLogoutUrls: instanceUrls(),
})

const reviewedUrl = () => vine.string().maxLength(2_048)
const reviewedUrls = () => vine.array(reviewedUrl()).maxLength(100).optional()

/** Accepts any URL: these are only compared, and stored URLs may predate the current rules. */
export const approveInstanceValidator = vine.create({
  baseUrl: reviewedUrl().optional(),
  callbackUrls: reviewedUrls(),
  postLogoutUrls: reviewedUrls(),
})
