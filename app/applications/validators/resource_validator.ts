import vine from '@vinejs/vine'
import { listFields } from '#core/http/lists'
import { label } from '#core/validation/fields'
import { anyObject, maxJsonBytes } from '#core/validation/json_fields'

const MAX_RESOURCES = 1_000
const MAX_PROPERTIES_BYTES = 16_384

/** The limit of checks and overrides. */
const resourceId = () => vine.string().minLength(1).maxLength(255)

export const saveResourcesValidator = vine.create({
  resources: vine
    .array(
      vine.object({
        resourceId: resourceId(),
        label: label().nullable().optional(),
        properties: anyObject().use(maxJsonBytes(MAX_PROPERTIES_BYTES)).optional(),
      })
    )
    .maxLength(MAX_RESOURCES)
    .distinct('resourceId'),
})

export const deleteResourcesValidator = vine.create({
  resourceIds: vine.array(resourceId()).maxLength(MAX_RESOURCES).distinct(),
})

export const listResourcesValidator = vine.create(listFields)
