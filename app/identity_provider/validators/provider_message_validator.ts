import vine from '@vinejs/vine'
import { flag } from '#core/validation/fields'

/** Mail programs would cut off longer texts. */
const MAX_TEXT = 100_000
const text = () => vine.string().maxLength(MAX_TEXT).optional()

/** All but the event is optional (zitadel.md#message-members). */
export const providerMessageValidator = vine.create({
  contextInfo: vine.object({
    eventType: vine.string().minLength(1).maxLength(255),
    recipientEmailAddress: text(),
    orgID: text(),
    orgId: text(),
    organizationId: text(),
  }),
  templateData: vine
    .object({
      title: text(),
      preHeader: text(),
      subject: text(),
      greeting: text(),
      text: text(),
      buttonText: text(),
      url: text(),
      includeFooter: flag().optional(),
      footerText: text(),
    })
    .optional(),
  args: vine
    .object({
      orgID: text(),
      orgId: text(),
      code: text(),
      oTP: text(),
      otp: text(),
      displayName: text(),
      firstName: text(),
      lastName: text(),
    })
    .optional(),
})
