import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { belongsTo } from '#core/database/relations'
import { OrganisationApplicationSchema } from '#database/schema'
import Application from '#app/applications/models/application'

/** `setupUris` and `syncUris` are the URIs that this service wrote to the OIDC client. */
export default class OrganisationApplication extends OrganisationApplicationSchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>

  get client() {
    const { projectId, clientAppId, clientId } = this
    return { projectId, clientAppId, clientId }
  }
}
