/** A reply that refuses the command of an SMTP client. */
export class SmtpRefusal extends Error {
  override name = 'SmtpRefusal'

  constructor(
    readonly responseCode: number,
    message: string
  ) {
    super(message)
  }
}
