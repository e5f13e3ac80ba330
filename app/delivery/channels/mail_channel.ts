import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { backOffMs } from '#core/values/back_off'
import type { Deadline } from '#core/values/deadline'
import { shortLine } from '#core/values/short_line'
import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { UnusableMail, composeMail } from '#app/delivery/mail/compose_mail'
import { quotableSecrets } from '#app/delivery/mail/quotable_secrets'
import { recordRefusal } from '#app/delivery/mail/record_refusal'
import { smtpAccountOf } from '#app/delivery/mail/sender'
import { UnusableSender } from '#app/delivery/mail/unusable_sender'
import { MailNotOffered } from '#app/delivery/mail/smtp_connection'
import { smtpFailure } from '#app/delivery/mail/smtp_failure'
import type { SmtpPool } from '#app/delivery/mail/smtp_pool'
import { SmtpPools } from '#app/delivery/mail/smtp_pools'
import { type AttemptReport, attemptNow } from '#app/delivery/values/attempt_report'
import { type DeliveryResult, failedDelivery } from '#app/delivery/values/delivery_result'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'
import mailConfig from '#config/mail'

type Mail = ReturnType<typeof composeMail>

const PAUSES = { firstMs: mailConfig.backoffMs, factor: 4, jitter: 0.25 }

export class MailChannel implements DeliveryChannel<OutgoingMail> {
  readonly isConfigured = true
  readonly #pools = new SmtpPools()

  async deliver(message: OutgoingMail, deadline: Deadline): Promise<DeliveryResult> {
    try {
      const mail = composeMail(message)
      const { owner, fingerprint, account } = smtpAccountOf(message.brand)
      const pool = () => this.#pools.of(owner, fingerprint, account)
      return await this.#send(pool, mail, message, deadline)
    } catch (error) {
      const isUnusable = error instanceof UnusableSender || error instanceof UnusableMail
      if (isUnusable) return failedDelivery(error.message)
      logger.error({ error: describeError(error) }, 'A mail could not be sent')
      return failedDelivery('the mail could not be sent')
    }
  }

  close() {
    this.#pools.closeAll()
  }

  /** Retries temporary failures (delivery.md#attempts-in-a-request). */
  async #send(
    pool: () => SmtpPool,
    mail: Mail,
    message: OutgoingMail,
    deadline: Deadline
  ): Promise<DeliveryResult> {
    const attempts: AttemptReport[] = []
    let unconfirmed = 0
    for (let attempt = 1; ; attempt++) {
      const current = pool()
      const recordable = (text: string) =>
        shortLine(text, [...(message.secrets ?? []), ...quotableSecrets(mail, current.account)])
      try {
        const limit = attempt === 1 ? deadline : deadline.withoutReserve
        const reply = await current.send(mail, limit, message.application?.id)
        attempts.push(attemptNow('accepted', replyCode(reply), recordable(reply)))
        return { status: 'sent', attempts, providerMessageId: mail.messageId, error: null }
      } catch (error) {
        if (error instanceof UnusableSender) throw error
        const wasNotOffered = error instanceof MailNotOffered && attempts.length === 0
        const failure = smtpFailure(error)
        const { transient, code, bounce } = failure
        const text = recordable(failure.text)
        attempts.push(attemptNow(transient ? 'deferred' : 'rejected', code, text))
        if (failure.isUnconfirmed) unconfirmed++
        // A slow server gets the mail once, and one that loses the connection twice.
        const isOver = unconfirmed > (failure.reason === 'timeout' ? 0 : 1)
        const waitMs = backOffMs(attempt, PAUSES)
        const isTimeLeft = !wasNotOffered && waitMs < deadline.remainingMs
        const canRetry = attempt < mailConfig.attempts && isTimeLeft
        if (!transient || isOver || !canRetry) {
          if (bounce !== null) await recordRefusal(message, bounce, text)
          const failed = failedDelivery(text, attempts, transient)
          return { ...failed, isUnconfirmed: unconfirmed > 0, wasNotOffered }
        }
        await pause(waitMs)
      }
    }
  }
}

function replyCode(reply: string): number | null {
  const [code] = /^\d{3}/.exec(reply) ?? []
  return code === undefined ? null : Number(code)
}
