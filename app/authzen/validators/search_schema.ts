import vine from '@vinejs/vine'
import { MAX_TOKEN_LENGTH } from '#app/authzen/validators/authzen_request'
import { action, context, kind, resource, subject } from '#app/authzen/validators/evaluation_schema'

// The bodies that `search_request.ts` reads, for the API description.
const page = vine
  .object({
    token: vine.string().minLength(1).maxLength(MAX_TOKEN_LENGTH).optional(),
    limit: vine.number().withoutDecimals().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  })
  .optional()

export const subjectSearch = vine.create({
  subject: kind('user'),
  action: action(),
  resource: resource(),
  context,
  page,
})

export const resourceSearch = vine.create({
  subject: subject(),
  action: action(),
  resource: kind('document'),
  context,
  page,
})

export const actionSearch = vine.create({
  subject: subject(),
  resource: resource(),
  context,
  page,
})
