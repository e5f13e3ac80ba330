import vine from '@vinejs/vine'
import { matching } from '#core/validation/fields'
import { anyObject, maxJsonBytes } from '#core/validation/json_fields'

export const MAX_SAMPLES = 20
const MAX_SAMPLE_BYTES = 16_384

/** Names that look the same are the same, so that `distinct` tells them apart. */
const NAME = /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u

const name = () =>
  vine.string().minLength(1).maxLength(100).use(matching(NAME, 'words with single spaces between'))

const sample = () =>
  vine.object({ name: name(), data: anyObject().use(maxJsonBytes(MAX_SAMPLE_BYTES)) })

export const typeSamplesValidator = vine.create({
  samples: vine.array(sample()).maxLength(MAX_SAMPLES).distinct('name'),
})
