import { DateTime } from 'luxon'
import { column } from '@adonisjs/lucid/orm'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonColumn, toDatabaseTimestamp } from '#core/database/columns'
import { BroadcastSchema } from '#database/schema'
import Application from '#app/applications/models/application'
import {
  BroadcastEnded,
  BroadcastNotFound,
  BroadcastNotScheduled,
} from '#app/broadcasts/exceptions'
import type { Audience } from '#app/broadcasts/values/audience'
import { type BroadcastStatus, UNENDED, hasEnded } from '#app/broadcasts/values/broadcast_status'
import { notInApplication } from '#app/applications/values/not_in_application'

/** One message to many users, with its progress (broadcasts.md#broadcast-fields). */
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

  /** Reads the broadcast again, and locks it until the transaction ends. */
  lock(client: TransactionClientContract): Promise<Broadcast> {
    return Broadcast.query({ client }).where('id', this.id).forUpdate().firstOrFail()
  }

  /** @throws BroadcastNotScheduled */
  requireScheduled() {
    if (this.status === 'scheduled') return
    throw new BroadcastNotScheduled({ details: { status: this.status } })
  }

  /** @throws BroadcastEnded */
  pause() {
    return this.changeStatus(['scheduled', 'running'], ['paused'], { status: 'paused' })
  }

  /**
   * @param mayReachOutsiders whether it may go on to reach addresses without a user record
   * @throws BroadcastEnded
   */
  resume(mayReachOutsiders: boolean) {
    const now = DateTime.utc()
    const { scheduledAt, startedAt } = this
    const reach = { outside_recipients: this.outsideRecipients && mayReachOutsiders }
    const isAhead = startedAt === null && scheduledAt !== null && scheduledAt > now
    return this.changeStatus(
      ['paused'],
      ['scheduled', 'running'],
      isAhead
        ? { ...reach, status: 'scheduled' }
        : { ...reach, status: 'running', started_at: toDatabaseTimestamp(startedAt ?? now) }
    )
  }

  /** @throws BroadcastEnded */
  cancel() {
    const columns = { status: 'cancelled', finished_at: toDatabaseTimestamp(DateTime.utc()) }
    return this.changeStatus([...UNENDED], ['cancelled'], columns)
  }

  /** @returns how many had not ended */
  static async failAllOf(
    applicationId: number,
    statusReason: string,
    client: QueryClientContract
  ): Promise<number> {
    const changed = await this.query({ client })
      .where('applicationId', applicationId)
      .whereIn('status', [...UNENDED])
      .update({
        status: 'failed',
        status_reason: statusReason,
        finished_at: toDatabaseTimestamp(DateTime.utc()),
      })
    return Number(changed)
  }

  /** Open recipients receive nothing. Has no effect unless the broadcast is running. */
  async fail(statusReason: string) {
    const finishedAt = toDatabaseTimestamp(DateTime.utc())
    await this.updateIn(['running'], {
      status: 'failed',
      status_reason: statusReason,
      finished_at: finishedAt,
    })
  }

  /** Broadcasts that are already in one of the `reached` states stay as they are. */
  private async changeStatus(
    from: BroadcastStatus[],
    reached: BroadcastStatus[],
    columns: Record<string, string | boolean>
  ) {
    const isChanged = await this.updateIn(from, columns)
    await this.refresh()
    if (!isChanged && !reached.includes(this.status)) {
      throw new BroadcastEnded({ details: { status: this.status } })
    }
    return this
  }

  /** The states are part of the statement, because others may change them at the same time. */
  private async updateIn(states: BroadcastStatus[], columns: Record<string, string | boolean>) {
    const changed = await Broadcast.query({ client: this.$trx })
      .where('id', this.id)
      .whereIn('status', states)
      .update(columns)
    return Number(changed) > 0
  }

  get processed(): number {
    return this.sent + this.failed + this.skipped
  }

  get hasEnded(): boolean {
    return hasEnded(this.status)
  }
}
