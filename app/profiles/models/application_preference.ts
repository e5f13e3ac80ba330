import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { belongsTo } from '#core/database/relations'
import { ApplicationPreferenceSchema } from '#database/schema'
import Application from '#app/applications/models/application'

/** A person's preferences in one application, with the statistics of their logins there (specification 2.2). */
export default class ApplicationPreference extends ApplicationPreferenceSchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>
}
