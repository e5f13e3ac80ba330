import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { belongsTo, hasMany } from '#core/database/relations'
import { UserPoolSchema } from '#database/schema'
import Brand from '#app/platform/models/brand'
import UserPoolOrganisation from '#app/platform/models/user_pool_organisation'

export default class UserPool extends UserPoolSchema {
  @belongsTo(() => Brand)
  declare brand: BelongsTo<typeof Brand>

  @hasMany(() => UserPoolOrganisation)
  declare organisations: HasMany<typeof UserPoolOrganisation>
}
