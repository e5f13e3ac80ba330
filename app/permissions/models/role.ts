import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { RoleSchema } from '#database/schema'
import { RoleNotFound } from '#app/permissions/exceptions'

export default class Role extends RoleSchema {
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
