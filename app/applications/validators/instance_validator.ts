import vine from '@vinejs/vine'
import { httpUrl, label, notNull } from '#core/validation/fields'

const urls = () => vine.array(httpUrl()).maxLength(100).use(notNull()).optional()

export const createInstanceValidator = vine.create({
  name: label(),
  baseUrl: httpUrl(),
  callbackUrls: urls(),
  postLogoutUrls: urls(),
})

export const updateInstanceValidator = vine.create({
  name: label().use(notNull()).optional(),
  baseUrl: httpUrl().use(notNull()).optional(),
  callbackUrls: urls(),
  postLogoutUrls: urls(),
})
