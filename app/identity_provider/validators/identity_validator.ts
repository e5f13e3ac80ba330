import vine from '@vinejs/vine'

/** Any id that OpenID Connect allows. */
export const identityValidator = vine.create({
  idpUserId: vine
    .string()
    .minLength(1)
    .maxLength(255)
    .regex(/^[\x20-\x7e]+$/)
    .nullable(),
})
