import vine from '@vinejs/vine'

/** A query string, so `everywhere` may be written as text. */
export const cacheClearValidator = vine.create({
  everywhere: vine.enum(['true', 'false', '1', '0'] as const).optional(),
})
