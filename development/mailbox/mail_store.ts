import { type ReceivedMail, readMail } from './received_mail.ts'

/** The latest mails, in memory. */
export class MailStore {
  readonly #capacity: number
  #mails: ReceivedMail[] = []
  #lastId = 0

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  async receive(source: Buffer, envelope: ReceivedMail['envelope']): Promise<void> {
    const mail = await readMail(++this.#lastId, source, envelope)
    this.#mails = [mail, ...this.#mails].slice(0, this.#capacity)
  }

  /** Newest first. */
  all(): readonly ReceivedMail[] {
    return this.#mails
  }

  byId(id: number): ReceivedMail | undefined {
    return this.#mails.find((mail) => mail.id === id)
  }

  clear(): void {
    this.#mails = []
  }
}
