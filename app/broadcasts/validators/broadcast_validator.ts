import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { anyObject, code, email, matching, maxJsonBytes, timestamp } from '#core/validation/fields'
import { MAX_CODE_LENGTH } from '#core/values/identifiers'
import { AUDIENCE_KINDS, type AudienceRequest } from '#app/broadcasts/values/audience'

/** The inbox stores the data once for each recipient. */
const MAX_DATA_BYTES = 65_536
/** More than fit into 1 MiB, for installations that accept larger bodies. */
const MAX_ADDRESSES = 200_000
export const MAX_RATE = 10_000

const LOCALE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/

/** Selects by kind, so that errors name the field of that kind. */
const hasKind = (kind: AudienceRequest['kind']) => (value: unknown) =>
  vine.helpers.isObject(value) && value.kind === kind

/** Only an unknown kind or `all` gets here, but the message must name every kind. */
const allKind = vine.createRule(
  (kind, _options, field) => {
    if (kind !== 'all') field.report('', 'enum', field, { choices: AUDIENCE_KINDS })
  },
  { toJSONSchema: (schema) => void (schema.enum = ['all']) }
)

const audience = vine.union([
  vine.union.if(
    hasKind('emails'),
    vine.object({
      kind: vine.literal('emails'),
      emails: vine.array(email()).minLength(1).maxLength(MAX_ADDRESSES),
    })
  ),
  vine.union.if(hasKind('role'), vine.object({ kind: vine.literal('role'), roleCode: code() })),
  vine.union.if(hasKind('application'), vine.object({ kind: vine.literal('application') })),
  vine.union.else(
    vine.object({
      kind: vine
        .string()
        .use(allKind())
        .transform((kind) => kind as 'all'),
    })
  ),
])

/** See broadcasts.md#broadcast-request. */
export const broadcastValidator = vine.create({
  type: code(),
  template: vine.string().minLength(1).maxLength(MAX_CODE_LENGTH).optional(),
  data: anyObject().use(maxJsonBytes(MAX_DATA_BYTES)).optional(),
  locale: vine
    .string()
    .maxLength(35)
    .use(matching(LOCALE, 'a language code, such as cs or en-US'))
    .optional(),
  audience,
  ratePerSecond: vine.number({ strict: true }).withoutDecimals().range([1, MAX_RATE]).optional(),
  scheduledAt: timestamp().optional(),
})

export const broadcastPageValidator = vine.create({ ...pagingFields })
