import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { HasMany } from '@adonisjs/lucid/types/relations'
import { hasMany } from '#core/database/relations'
import { RoleSchema } from '#database/schema'
import { RoleNotFound } from '#app/permissions/exceptions'
import RolePermission from '#app/permissions/models/role_permission'
import UserRole from '#app/permissions/models/user_role'

export default class Role extends RoleSchema {
  @hasMany(() => UserRole)
  declare assignments: HasMany<typeof UserRole>

  @hasMany(() => RolePermission)
  declare grants: HasMany<typeof RolePermission>

  /** Locks the role until the transaction ends. @throws RoleNotFound */
  static async lock(applicationId: number, id: number, client: TransactionClientContract) {
    const role = await this.query({ client }).where({ applicationId, id }).forUpdate().first()
    if (!role) throw new RoleNotFound()
    return role
  }

  /** @throws RoleNotFound, also for a role of another application */
  static async of(applicationId: number, id: number, client?: QueryClientContract) {
    const role = await this.query({ client })
      .where('applicationId', applicationId)
      .where('id', id)
      .first()
    if (!role) throw new RoleNotFound()
    return role
  }
}
