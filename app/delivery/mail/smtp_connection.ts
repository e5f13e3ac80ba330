import type { Deadline } from '#core/values/deadline'
import { renderMail } from '#app/delivery/mail/render_mail'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { SmtpSession } from '#app/delivery/mail/smtp_session'
import { renderingTurns } from '#app/notifications/rendering/rendering_turns'

export class SmtpTimeout extends Error {
  override name = 'SmtpTimeout'
}

/** The mail was not offered to the server. */
export class MailNotOffered extends SmtpTimeout {
  override name = 'MailNotOffered'
}

/** The connection failed after the server had received a mail and before it replied. */
export class UnconfirmedMail extends Error {
  override name = 'UnconfirmedMail'

  constructor(override readonly cause: unknown) {
    super('The server received the mail, but did not confirm it')
  }
}

/** Stays open between mails, and opens again after a failure. */
export class SmtpConnection {
  readonly #account: SmtpAccount
  #session?: SmtpSession

  constructor(account: SmtpAccount) {
    this.#account = account
  }

  /**
   * @param application the id of the application that sends the mail
   * @returns the reply of the server
   * @throws SmtpTimeout, UnusableSender, nodemailer's errors, UnconfirmedMail with one of these
   */
  async send(mail: SignableMail, deadline: Deadline, application?: number): Promise<string> {
    const { envelope, raw } = await renderingTurns.run(() => renderMail(mail), {
      group: application,
    })
    if (deadline.hasPassed) throw new MailNotOffered('No time was left')
    if (!this.#session?.isUsable) {
      this.#session?.close()
      this.#session = new SmtpSession(this.#account)
    }
    const session = this.#session
    // A mail whose time is over must not be sent any more.
    const timeout = setTimeout(
      () => session.fail(new SmtpTimeout('The server did not finish in time')),
      deadline.remainingMs
    )
    try {
      return await session.send(envelope, raw)
    } catch (error) {
      const isUnconfirmed = session.awaitsConfirmation
      // It may be stuck.
      session.fail(error)
      throw isUnconfirmed ? new UnconfirmedMail(error) : error
    } finally {
      clearTimeout(timeout)
    }
  }

  close() {
    this.#session?.close()
  }
}
