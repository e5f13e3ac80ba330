import { belongsTo } from '@adonisjs/lucid/orm'
import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { OrganisationApplicationSchema } from '#database/schema'
import Application from '#app/applications/models/application'

/**
 * That the people of an organisation use an application, through an OIDC client of their own.
 * `setupUris` and `syncUris` are what this service itself wrote there.
 */
export default class OrganisationApplication extends OrganisationApplicationSchema {
  @belongsTo(() => Application)
  declare application: BelongsTo<typeof Application>

  get client() {
    const { projectId, clientAppId, clientId } = this
    return { projectId, clientAppId, clientId }
  }
}
