import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { column } from '@adonisjs/lucid/orm'
import { PermissionSchema } from '#database/schema'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import { PermissionNotFound } from '#app/permissions/exceptions'

/** Something a person may or may not do in an application (permissions.md#permission-record). */
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

  /** Whether a role or an override may give this permission at `level`. */
  accepts(level: AccessLevel): boolean {
    return this.type === 'tiered' ? level !== 'allowed' : level === 'allowed'
  }
}
