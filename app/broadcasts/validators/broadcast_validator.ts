import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { code, email, matching, timestamp } from '#core/validation/fields'
import { anyObject, maxJsonBytes } from '#core/validation/json_fields'
import { queryText } from '#core/validation/query_fields'
import { MAX_CODE_LENGTH, MAX_ID } from '#core/values/identifiers'
import { BROADCAST_STATUSES } from '#app/broadcasts/values/broadcast_status'
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
const requestFields = () => ({
  type: code(),
  template: template().optional(),
  data: data(),
  locale: locale().optional(),
  audience: audience(),
  ratePerSecond: ratePerSecond().optional(),
  scheduledAt: scheduledAt(),
})

export const broadcastValidator = vine.create(requestFields())

export const createBroadcastValidator = vine.create({
  ...requestFields(),
  expectedTotal: vine.number({ strict: true }).withoutDecimals().range([0, MAX_ID]).optional(),
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

export const broadcastPageValidator = vine.create({
  status: vine.enum(BROADCAST_STATUSES).optional(),
  type: queryText(MAX_CODE_LENGTH).optional(),
  ...pagingFields,
})

export const recipientPageValidator = vine.create({
  status: vine.enum(RECIPIENT_STATUSES).optional(),
  ...pagingFields,
})
