import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { code, id, label } from '#core/validation/fields'
import { anyObject } from '#core/validation/json_fields'
import {
  bodyText,
  subjectText,
  templateFields,
  versionFields,
} from '#app/notifications/values/fields'

export const createTemplateValidator = vine.create({
  key: code(),
  name: label(),
  ...templateFields,
})

export const updateTemplateValidator = vine.create({
  name: label().optional(),
  ...templateFields,
})

export const saveVersionValidator = vine.create(versionFields)

export const historyValidator = vine.create({ ...pagingFields })

export const restoreVersionValidator = vine.create({ revision: id() })

/** `subject` and `body` are texts that have not been saved. */
export const previewValidator = vine.create({
  subject: subjectText().optional(),
  body: bodyText().optional(),
  data: anyObject().optional(),
})
