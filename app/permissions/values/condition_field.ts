import vine from '@vinejs/vine'
import { MAX_CONDITION_LENGTH } from '#app/permissions/conditions/program'

const celRule = vine.createRule(() => undefined, {
  toJSONSchema: (schema) =>
    Object.assign(schema, { minLength: 1, maxLength: MAX_CONDITION_LENGTH }),
})

/** What is wrong with an expression is a problem of its own (permissions.md#conditions). */
export const condition = () => vine.string().use(celRule())
