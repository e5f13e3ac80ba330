import vine from '@vinejs/vine'

/** Ids as OpenID Connect allows them. */
export const identityValidator = vine.create({
  idpUserId: vine
    .string()
    .minLength(1)
    .maxLength(255)
    .regex(/^[\x20-\x7e]+$/)
    .nullable(),
})
