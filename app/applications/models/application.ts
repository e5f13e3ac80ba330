import { afterDelete, afterSave, column, manyToMany } from '@adonisjs/lucid/orm'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { HasMany, ManyToMany } from '@adonisjs/lucid/types/relations'
import { hasMany } from '#core/database/relations'
import { TtlCache } from '#core/database/ttl_cache'
import { ApplicationSchema } from '#database/schema'
import Brand from '#app/platform/models/brand'
import Entity from '#app/applications/models/entity'
import Instance from '#app/applications/models/instance'
import { ApplicationNotFound } from '#app/applications/exceptions'
import type { Membership } from '#app/applications/values/membership'

const cache = new TtlCache((code: string) => Application.withCode(code))

export default class Application extends ApplicationSchema {
  @column()
  declare membership: Membership

  @hasMany(() => Entity)
  declare entities: HasMany<typeof Entity>

  @hasMany(() => Instance)
  declare instances: HasMany<typeof Instance>

  @manyToMany(() => Brand, { pivotTable: 'application_brands' })
  declare brands: ManyToMany<typeof Brand>

  /** @throws ApplicationNotFound */
  static async withCode(code: string, client?: QueryClientContract): Promise<Application> {
    const application = await this.query({ client }).where('code', code).first()
    if (!application) throw new ApplicationNotFound()
    return application
  }

  /**
   * For sending. The result is cached and must not be modified. Nothing is remembered of codes that
   * no application has.
   *
   * @throws ApplicationNotFound
   */
  static cachedWithCode(code: string): Promise<Application> {
    return cache.get(code)
  }

  /**
   * Locks the application until the transaction ends, so that concurrent requests cannot both pass
   * a limit on what belongs to it.
   *
   * @throws ApplicationNotFound
   */
  static async lockWithCode(code: string, client: TransactionClientContract): Promise<Application> {
    const application = await this.query({ client }).where('code', code).forUpdate().first()
    if (!application) throw new ApplicationNotFound()
    return application
  }

  @afterSave()
  @afterDelete()
  static invalidateCache(application: Application) {
    cache.clearAfterCommit(application)
  }
}
