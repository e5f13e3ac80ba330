import { isIP } from 'node:net'
import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { isAlwaysRefused } from '#core/network/address_policy'
import { email, flag, httpUrl, label, matching, oneLine, slug } from '#core/validation/fields'
import { SMTP_TLS } from '#app/platform/values/smtp_tls'

/** Avoids the flag `i` and lookaheads, which JSON Schema does not support. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const DNS_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
const MAX_DNS_NAME = 253
/** Unlike a host name, a selector can contain underscores. */
const SELECTOR_LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?'
const SELECTOR = new RegExp(`^${SELECTOR_LABEL}(?:\\.${SELECTOR_LABEL})*$`)
const CSS_HEX = /^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/

const hostRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value !== 'string') return
    const isAddress = isIP(value) !== 0
    if (!isAddress && !DNS_NAME.test(value)) {
      field.report('{{ field }} must be a host name or an IP address', 'host', field)
    }
    // Host names are checked when the mailer connects.
    if (isAddress && isAlwaysRefused(value)) {
      field.report('{{ field }} must not be a link-local or metadata address', 'host', field)
    }
  },
  {
    toJSONSchema: (schema) =>
      Object.assign(schema, { description: 'A host name or an IP address', minLength: 1 }),
  }
)

const port = () => vine.number({ strict: true }).withoutDecimals().range([1, 65_535])
const color = () =>
  vine
    .string()
    .maxLength(9)
    .use(matching(CSS_HEX, 'a colour such as #fff or #112233'))
    .nullable()
    .optional()
const image = () => httpUrl().nullable().optional()

const smtp = () =>
  vine.object({
    host: vine.string().maxLength(MAX_DNS_NAME).use(hostRule()),
    port: port().optional(),
    secure: flag().optional(),
    user: label().nullable().optional(),
    password: vine.string().minLength(1).maxLength(1_024).use(oneLine()).nullable().optional(),
    tls: vine.enum(SMTP_TLS).optional(),
  })

const dkim = () =>
  vine.object({
    domain: vine.string().maxLength(MAX_DNS_NAME).use(matching(DNS_NAME, 'a domain name')),
    selector: vine.string().maxLength(MAX_DNS_NAME).use(matching(SELECTOR, 'a DKIM selector')),
    privateKey: vine.string().minLength(1).maxLength(16_384).nullable().optional(),
  })

const appearance = () =>
  vine.object({
    primaryColor: color(),
    backgroundColor: color(),
    fontColor: color(),
    logoUrl: image(),
    iconUrl: image(),
  })

const optionalFields = {
  idpOrgId: label().nullable().optional(),
  isDefault: flag().optional(),
  emailFrom: email().nullable().optional(),
  emailFromName: label().nullable().optional(),
  replyTo: email().nullable().optional(),
  smtp: smtp().nullable().optional(),
  dkim: dkim().nullable().optional(),
  appearance: appearance().nullable().optional(),
}

export const createBrandValidator = vine.create({
  slug: slug(),
  name: label(),
  ...optionalFields,
})

export const updateBrandValidator = vine.create({
  slug: slug().optional(),
  name: label().optional(),
  ...optionalFields,
})
