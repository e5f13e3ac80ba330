import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { column } from '@adonisjs/lucid/orm'
import { PermissionSchema } from '#database/schema'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import { PermissionNotFound } from '#app/permissions/exceptions'

export default class Permission extends PermissionSchema {
  @column()
  declare type: PermissionType

  /** @throws PermissionNotFound, also for a permission of another application */
  static async of(applicationId: number, id: number, client?: QueryClientContract) {
    const permission = await this.query({ client })
      .where('applicationId', applicationId)
      .where('id', id)
      .first()
    if (!permission) throw new PermissionNotFound()
    return permission
  }

  /** Whether the level fits the type of this permission. */
  accepts(level: AccessLevel): boolean {
    return this.type === 'tiered' ? level !== 'allowed' : level === 'allowed'
  }
}
