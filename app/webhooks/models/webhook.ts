import { afterDelete, afterSave, column } from '@adonisjs/lucid/orm'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { jsonColumn } from '#core/database/columns'
import { WebhookSchema } from '#database/schema'
import type Application from '#app/applications/models/application'
import { notInApplication } from '#app/applications/values/not_in_application'
import { WebhookNotFound } from '#app/webhooks/exceptions'
import { subscriptions } from '#app/webhooks/subscriptions'
import type { DisabledReason, FailureReason } from '#app/webhooks/values/delivery_status'
import type { EventType } from '#app/webhooks/values/event_types'
import { decryptSecret } from '#app/webhooks/values/webhook_secret'

/** An address of an application that receives its events (webhooks.md). */
export default class Webhook extends WebhookSchema {
  @jsonColumn()
  declare events: EventType[]

  @column()
  declare disabledReason: DisabledReason | null

  @column()
  declare lastFailureReason: FailureReason | null

  /** @throws WebhookNotFound, also for a webhook of another application */
  static async of(
    { id: applicationId, code }: Pick<Application, 'id' | 'code'>,
    id: number
  ): Promise<Webhook> {
    const webhook = await this.query().where({ applicationId, id }).first()
    return webhook ?? notFound(id, code)
  }

  /** The same, locked until the transaction ends. */
  static async lock(
    { id: applicationId, code }: Pick<Application, 'id' | 'code'>,
    id: number,
    client: TransactionClientContract
  ): Promise<Webhook> {
    const webhook = await this.query({ client }).where({ applicationId, id }).forUpdate().first()
    return webhook ?? notFound(id, code)
  }

  /** The secrets that sign now. Empty if none can be decrypted. */
  get signingSecrets(): string[] {
    const isRotating = (this.previousSecretExpiresAt ?? DateTime.utc()) > DateTime.utc()
    const stored = [this.secret, ...(isRotating ? [this.previousSecret!] : [])]
    return stored.flatMap((each) => decryptSecret(each) ?? [])
  }

  @afterSave()
  @afterDelete()
  static forgetSubscriptions(webhook: Webhook) {
    subscriptions.clearAfterCommit(webhook)
  }
}

function notFound(id: number, appCode: string): never {
  throw new WebhookNotFound(notInApplication(`Webhook ${id}`, appCode))
}
