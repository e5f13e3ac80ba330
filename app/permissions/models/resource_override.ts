import { column } from '@adonisjs/lucid/orm'
import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { belongsTo } from '#core/database/relations'
import { ResourceOverrideSchema } from '#database/schema'
import Permission from '#app/permissions/models/permission'
import type { AccessLevel } from '#app/permissions/values/access_level'

export default class ResourceOverride extends ResourceOverrideSchema {
  @column()
  declare accessLevel: AccessLevel | null

  @belongsTo(() => Permission)
  declare permission: BelongsTo<typeof Permission>
}
