/** A reply to an SMTP client that refuses what it asked for. */
export class SmtpRefusal extends Error {
  override name = 'SmtpRefusal'

  constructor(
    readonly responseCode: number,
    message: string
  ) {
    super(message)
  }
}
