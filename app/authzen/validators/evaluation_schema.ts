import vine from '@vinejs/vine'
import { anyObject } from '#core/validation/json_fields'
import { SEMANTICS } from '#app/authzen/values/access_request'
import { MAX_TEXT_LENGTH } from '#app/authzen/validators/authzen_request'
import { MAX_EVALUATIONS } from '#app/authzen/validators/evaluation_request'

// The bodies that `evaluation_request.ts` reads, for the API description.
const bounded = () => vine.string().minLength(1).maxLength(MAX_TEXT_LENGTH)
const text = (example: string) => bounded().meta({ example })
const optionalText = (example: string) => bounded().optional().meta({ example })
const properties = (example: object) => anyObject().optional().meta({ example })

const ALAN = 'alan@acme.example'
const OPEN = { status: 'open' }

export const kind = (type: string) => vine.object({ type: text(type), properties: properties({}) })
export const subject = () =>
  vine.object({ type: text('user'), id: text(ALAN), properties: properties({}) })
export const action = () => vine.object({ name: text('documents'), properties: properties({}) })
export const resource = () =>
  vine.object({ type: text('document'), id: text('4711'), properties: properties(OPEN) })
export const context = properties({ ip: '10.0.0.1' })

/** Each part can be a default or an item's own. */
const parts = {
  subject: vine
    .object({ type: optionalText('user'), id: optionalText(ALAN), properties: properties({}) })
    .optional(),
  action: vine.object({ name: optionalText('documents'), properties: properties({}) }).optional(),
  resource: vine
    .object({
      type: optionalText('document'),
      id: optionalText('4711'),
      properties: properties(OPEN),
    })
    .optional(),
  context,
}

export const evaluation = vine.create({
  subject: subject(),
  action: action(),
  resource: resource(),
  context,
})

export const evaluations = vine.create({
  ...parts,
  evaluations: vine.array(vine.object(parts)).maxLength(MAX_EVALUATIONS).optional(),
  options: vine.object({ evaluations_semantic: vine.enum(SEMANTICS).optional() }).optional(),
})
