import { randomUUID } from 'node:crypto'
import { recordChange } from '#core/audit/record_change'
import { withLease } from '#core/database/leases/with_lease'
import { transaction } from '#core/database/transaction'
import { Deadline } from '#core/values/deadline'
import { shortLine } from '#core/values/short_line'
import { UnusableMail, composeMail } from '#app/delivery/mail/compose_mail'
import { quotableSecrets } from '#app/delivery/mail/quotable_secrets'
import { senderOf, smtpAccountOf, smtpOwnerOf } from '#app/delivery/mail/sender'
import { SmtpConnection, SmtpTimeout } from '#app/delivery/mail/smtp_connection'
import { type SmtpFailureReason, smtpFailure } from '#app/delivery/mail/smtp_failure'
import { UnusableSender } from '#app/delivery/mail/unusable_sender'
import { TEST_LANGUAGES, testText } from '#app/delivery/brand_tests/test_text'
import { findBrand } from '#app/platform/actions/find_brand'
import type Brand from '#app/platform/models/brand'
import Language from '#app/platform/models/language'
import { chooseLocale } from '#app/platform/values/choose_locale'
import User from '#app/profiles/models/user'
import mailConfig from '#config/mail'

/** Nobody can switch it off, and it belongs to no application. */
const TYPE = {
  id: 0,
  code: 'brand_test',
  system: true,
  userCanDisable: false,
  selfServiceEnabled: false,
  emailFromName: null,
}

export interface BrandTest {
  /** The address of the caller, to which the mail was sent. */
  email: string
  /** The address that the mail was sent from. */
  from: string
  /** Whose mail server was used; null if there is none. */
  server: 'brand' | 'platform' | null
  /** The domain whose DKIM key signs the mail; null without a key. */
  signedBy: string | null
  status: 'sent' | 'failed'
  /** Null if the server has accepted the mail. */
  reason: SmtpFailureReason | 'unusable_settings' | null
  /** The reply of the server, or what went wrong, on one line. */
  message: string
}

type Outcome = Pick<BrandTest, 'status' | 'reason' | 'message'>

/**
 * Sends a mail to the caller with the stored mail settings of a brand (delivery.md#brand-tests).
 * @throws BrandNotFound, UserNotFound, AlreadyAtWork
 */
export async function sendBrandTest(id: number, caller: string): Promise<BrandTest> {
  const brand = await findBrand(id)
  const recipient = await User.withEmail(caller)
  const outcome = await withLease(`brand-test:${recipient.id}`, () => attempt(brand, recipient), {
    waitMs: 0,
  })
  const { status, reason } = outcome
  await transaction((trx) =>
    recordChange(trx, {
      action: 'brand.tested',
      application: null,
      target: { kind: 'brand', id: brand.id, label: brand.slug },
      before: null,
      after: { status, reason },
    })
  )
  return {
    email: recipient.email,
    from: senderOf(brand, TYPE).address,
    server: smtpOwnerOf(brand),
    signedBy: (brand.dkim ?? mailConfig.dkim)?.domain ?? null,
    ...outcome,
  }
}

/** Once, and with a connection of its own: an open one was authenticated with earlier settings. */
async function attempt(brand: Brand, recipient: User): Promise<Outcome> {
  let connection: SmtpConnection | null = null
  const secrets: string[] = []
  try {
    const content = testText(brand, await languageOf(recipient))
    const reference = `brand-test.${randomUUID()}`
    const mail = composeMail({ ...content, brand, recipient, reference, type: TYPE })
    const account = smtpAccountOf(brand).account()
    secrets.push(...quotableSecrets(mail, account))
    connection = new SmtpConnection(account)
    const reply = await connection.send(mail, new Deadline(mailConfig.singleBudgetMs))
    return { status: 'sent', reason: null, message: shortLine(reply, secrets) }
  } catch (error) {
    const { reason, message } = failureOf(error)
    return { status: 'failed', reason, message: shortLine(message, secrets) }
  } finally {
    await connection?.close()
  }
}

function failureOf(error: unknown): Pick<Outcome, 'message'> & { reason: BrandTest['reason'] } {
  if (error instanceof UnusableSender || error instanceof UnusableMail) {
    return { reason: 'unusable_settings', message: error.message }
  }
  if (error instanceof SmtpTimeout) return { reason: 'timeout', message: error.message }
  const { reason, text } = smtpFailure(error)
  return { reason, message: text }
}

async function languageOf({ locale }: User) {
  const registry = () => Language.registry()
  const language = await chooseLocale(locale ?? 'en', TEST_LANGUAGES, registry)
  return TEST_LANGUAGES.find((one) => one === language) ?? 'en'
}
