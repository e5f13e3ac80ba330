import vine from '@vinejs/vine'
import { accessChangesSchema } from '#app/permissions/changes/access_change_schema'
import { MAX_FLIPS } from '#app/checks/actions/preview_flips'
import { MAX_CURSOR_LENGTH } from '#app/checks/validators/search_request'

export const previewPageValidator = vine.create({
  limit: vine.number({ strict: true }).withoutDecimals().range([1, MAX_FLIPS]).optional(),
  cursor: vine.string().minLength(1).maxLength(MAX_CURSOR_LENGTH).optional(),
})

const page = previewPageValidator.toJSONSchema()

/** For the API description. */
export const previewSchema = {
  type: 'object',
  properties: { changes: accessChangesSchema, ...page.properties },
  required: ['changes'],
  additionalProperties: true,
}
