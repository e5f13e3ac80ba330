import vine from '@vinejs/vine'
import { httpUrl, label, matching } from '#core/validation/fields'
import { redirectUrl } from '#core/validation/redirect_url'

const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
/** The identity provider has no alpha channel. */
const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

export const createOrganisationValidator = vine.create({
  name: label(200),
  domain: vine
    .string()
    .toLowerCase()
    .maxLength(253)
    .use(matching(DOMAIN, 'a domain name, such as contoso.example')),
})

export const brandingValidator = vine.create({
  primaryColor: vine
    .string()
    .maxLength(7)
    .use(matching(COLOUR, 'a colour such as #fff or #112233')),
  logoUrl: httpUrl().nullable().optional(),
})

export const setUpOrganisationValidator = vine.create({
  projectName: label(200),
  appName: label(200),
  redirectUris: vine.array(redirectUrl()).minLength(1).maxLength(100).distinct(),
  userApiAppCode: vine.string().minLength(1).maxLength(128),
})
