import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { belongsTo } from '#core/database/relations'
import { ApplicationKeySchema } from '#database/schema'
import Application from '#app/applications/models/application'

/** A key with which an application's servers call `/api/internal`. Only its digest is stored. */
export default class ApplicationKey extends ApplicationKeySchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>
}
