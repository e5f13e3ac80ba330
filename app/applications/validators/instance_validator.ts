import vine from '@vinejs/vine'
import { httpUrl, label } from '#core/validation/fields'

const urls = () => vine.array(httpUrl()).maxLength(100)

export const createInstanceValidator = vine.create({
  name: label(),
  baseUrl: httpUrl(),
  callbackUrls: urls().optional(),
  postLogoutUrls: urls().optional(),
})

export const updateInstanceValidator = vine.create({
  name: label().optional(),
  baseUrl: httpUrl().optional(),
  callbackUrls: urls().optional(),
  postLogoutUrls: urls().optional(),
})
