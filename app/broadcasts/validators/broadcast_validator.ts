import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { anyObject, code, email, matching, maxJsonBytes, timestamp } from '#core/validation/fields'
import { MAX_CODE_LENGTH } from '#core/values/identifiers'
import { RECIPIENT_STATUSES } from '#app/broadcasts/values/recipient_status'
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

const audience = () =>
  vine.union([
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

const template = () => vine.string().minLength(1).maxLength(MAX_CODE_LENGTH)
const data = () => anyObject().use(maxJsonBytes(MAX_DATA_BYTES)).optional()
const locale = () =>
  vine.string().maxLength(35).use(matching(LOCALE, 'a language code, such as cs or en-US'))
const ratePerSecond = () => vine.number({ strict: true }).withoutDecimals().range([1, MAX_RATE])
const scheduledAt = () => timestamp().optional()

/** See broadcasts.md#broadcast-request. */
export const broadcastValidator = vine.create({
  type: code(),
  template: template().optional(),
  data: data(),
  locale: locale().optional(),
  audience: audience(),
  ratePerSecond: ratePerSecond().optional(),
  scheduledAt: scheduledAt(),
})

/** See broadcasts.md#changing-a-scheduled-broadcast. */
export const changeBroadcastValidator = vine.create({
  type: code().optional(),
  template: template().nullable().optional(),
  data: data(),
  locale: locale().nullable().optional(),
  audience: audience().optional(),
  ratePerSecond: ratePerSecond().nullable().optional(),
  scheduledAt: scheduledAt(),
})

export const broadcastPageValidator = vine.create({ ...pagingFields })

export const recipientPageValidator = vine.create({
  status: vine.enum(RECIPIENT_STATUSES).optional(),
  ...pagingFields,
})
