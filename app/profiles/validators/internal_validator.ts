import vine from '@vinejs/vine'
import { email, label, slug, timestamp } from '#core/validation/fields'
import { APPLICATION_EVENTS } from '#app/profiles/actions/record_application_event'

export const applicationEventValidator = vine.create({
  email: email(),
  appCode: slug(),
  event: vine.enum(APPLICATION_EVENTS),
})

export const profileSyncValidator = vine.create({
  email: email(),
  firstName: label(200).nullable().optional(),
  lastName: label(200).nullable().optional(),
  displayName: label(200).nullable().optional(),
  changedAt: timestamp().optional(),
})
