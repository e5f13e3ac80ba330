import { belongsTo } from '@adonisjs/lucid/orm'
import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { UserRoleSchema } from '#database/schema'
import Role from '#app/permissions/models/role'

export default class UserRole extends UserRoleSchema {
  @belongsTo(() => Role)
  declare role: BelongsTo<typeof Role>
}
