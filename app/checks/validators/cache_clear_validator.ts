import vine from '@vinejs/vine'

export const cacheClearValidator = vine.create({
  everywhere: vine.enum(['true', 'false', '1', '0'] as const).optional(),
})
