import vine from '@vinejs/vine'

const parameter = () => vine.string().minLength(1).maxLength(4_000)

export const loginValidator = vine.create({ client_id: parameter() })

export const callbackValidator = vine.create({
  code: parameter().optional(),
  state: parameter().optional(),
  error: parameter().optional(),
})
