import vine from '@vinejs/vine'
import { matching } from '#core/validation/fields'

/** Any id that OpenID Connect allows. */
export const identityValidator = vine.create({
  idpUserId: vine
    .string()
    .minLength(1)
    .maxLength(255)
    .use(matching(/^[\x20-\x7e]+$/, 'printable ASCII'))
    .nullable(),
})
