import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { belongsTo } from '#core/database/relations'
import { ApplicationPreferenceSchema } from '#database/schema'
import Application from '#app/applications/models/application'

/** Switches and login statistics (profiles.md#preference-fields). */
export default class ApplicationPreference extends ApplicationPreferenceSchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>

  /**
   * A preference that is not stored (profiles.md#preference-fields).
   *
   * @param key null if there is no user record
   */
  static withDefaults(key: { userId: number; applicationId: number } | null) {
    const never = { firstLoginAt: null, lastLoginAt: null, lastActivityAt: null }
    const switches = { showHelp: true, notificationsEnabled: true }
    return new this().merge({ ...key, ...switches, ...never, loginCount: 0 })
  }
}
