import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { HasMany } from '@adonisjs/lucid/types/relations'
import { hasMany } from '#core/database/relations'
import { RoleSchema } from '#database/schema'
import { RoleNotFound } from '#app/permissions/exceptions'
import RolePermission from '#app/permissions/models/role_permission'
import UserRole from '#app/permissions/models/user_role'
import { notInApplication } from '#app/applications/values/not_in_application'
import type Application from '#app/applications/models/application'

export default class Role extends RoleSchema {
  @hasMany(() => UserRole)
  declare assignments: HasMany<typeof UserRole>

  @hasMany(() => RolePermission)
  declare grants: HasMany<typeof RolePermission>

  /** Locks the role until the transaction ends. @throws RoleNotFound */
  static async lock(
    application: Pick<Application, 'id' | 'code'>,
    id: number,
    client: TransactionClientContract
  ) {
    const role = await this.query({ client })
      .where({ applicationId: application.id, id })
      .forUpdate()
      .first()
    if (!role) throw new RoleNotFound(notInApplication(`Role ${id}`, application.code))
    return role
  }

  /** @throws RoleNotFound, including for a role of another application */
  static async of(
    application: Pick<Application, 'id' | 'code'>,
    id: number,
    client?: QueryClientContract
  ) {
    const role = await this.query({ client })
      .where('applicationId', application.id)
      .where('id', id)
      .first()
    if (!role) throw new RoleNotFound(notInApplication(`Role ${id}`, application.code))
    return role
  }
}
