import vine from '@vinejs/vine'
import { MAX_SEARCH_LIMIT } from '#app/checks/actions/search_candidates'
import { attributes, level, resource, text } from '#app/checks/validators/check_schema'
import { MAX_CURSOR_LENGTH } from '#app/checks/validators/search_request'

// The bodies that `SearchRequest` validates, for the API description.
const page = {
  limit: vine.number().withoutDecimals().range([1, MAX_SEARCH_LIMIT]).optional(),
  cursor: vine.string().minLength(1).maxLength(MAX_CURSOR_LENGTH).optional(),
  count: vine.boolean({ strict: true }).optional(),
}

export const subjectSearchIn = vine.create({
  ...resource,
  permission: text(),
  ...level,
  ...page,
})

export const subjectSearch = vine.create({
  app: text(),
  ...resource,
  permission: text(),
  ...level,
  ...page,
})

export const resourceSearch = vine.create({
  app: text(),
  resourceType: text(),
  attributes,
  permission: text(),
  ...level,
  ...page,
})
