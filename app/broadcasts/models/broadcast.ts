import { column } from '@adonisjs/lucid/orm'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { jsonColumn } from '#core/database/columns'
import { BroadcastSchema } from '#database/schema'
import Application from '#app/applications/models/application'
import { BroadcastNotFound } from '#app/broadcasts/exceptions'
import type { Audience } from '#app/broadcasts/values/audience'
import { type BroadcastStatus, hasEnded } from '#app/broadcasts/values/broadcast_status'
import { notInApplication } from '#app/applications/values/not_in_application'

/** One message to many people, with its progress (broadcasts.md#broadcast-fields). */
export default class Broadcast extends BroadcastSchema {
  @column()
  declare status: BroadcastStatus

  @jsonColumn()
  declare audience: Audience

  /** @throws ApplicationNotFound, BroadcastNotFound */
  static async of(appCode: string, id: number, client?: QueryClientContract): Promise<Broadcast> {
    const application = await Application.withCode(appCode, client)
    const broadcast = await this.query({ client })
      .where('applicationId', application.id)
      .where('id', id)
      .first()
    if (!broadcast) throw new BroadcastNotFound(notInApplication(`Broadcast ${id}`, appCode))
    return broadcast
  }

  get processed(): number {
    return this.sent + this.failed + this.skipped
  }

  get hasEnded(): boolean {
    return hasEnded(this.status)
  }
}
