import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { column } from '@adonisjs/lucid/orm'
import type { HasMany } from '@adonisjs/lucid/types/relations'
import { hasMany } from '#core/database/relations'
import { PermissionSchema } from '#database/schema'
import type { PermissionType } from '#app/permissions/values/access_level'
import { PermissionNotFound } from '#app/permissions/exceptions'
import ResourceOverride from '#app/permissions/models/resource_override'
import RolePermission from '#app/permissions/models/role_permission'
import { notInApplication } from '#app/applications/values/not_in_application'
import type Application from '#app/applications/models/application'

export default class Permission extends PermissionSchema {
  @column()
  declare type: PermissionType

  @hasMany(() => RolePermission)
  declare grants: HasMany<typeof RolePermission>

  @hasMany(() => ResourceOverride)
  declare overrides: HasMany<typeof ResourceOverride>

  /** @throws PermissionNotFound, including for a permission of another application */
  static async of(
    application: Pick<Application, 'id' | 'code'>,
    id: number,
    client?: QueryClientContract
  ) {
    const permission = await this.query({ client })
      .where('applicationId', application.id)
      .where('id', id)
      .first()
    if (!permission)
      throw new PermissionNotFound(notInApplication(`Permission ${id}`, application.code))
    return permission
  }
}
