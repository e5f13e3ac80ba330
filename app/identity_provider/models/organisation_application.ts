import { belongsTo } from '@adonisjs/lucid/orm'
import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { OrganisationApplicationSchema } from '#database/schema'
import Application from '#app/applications/models/application'

/**
 * An organisation's OIDC client for an application. `setupUris` and `syncUris` are what we wrote
 * to it.
 */
export default class OrganisationApplication extends OrganisationApplicationSchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>

  get client() {
    const { projectId, clientAppId, clientId } = this
    return { projectId, clientAppId, clientId }
  }
}
