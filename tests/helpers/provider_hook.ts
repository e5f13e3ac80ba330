import { DateTime } from 'luxon'
import type { Group } from '@japa/runner/core'
import { transaction } from '#core/database/transaction'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import { finishPendingDeliveries } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import { ProviderMailSource } from '#app/identity_provider/mail_hook/provider_mail_source'
import Notification from '#app/notifications/models/notification'
import Brand from '#app/platform/models/brand'
import { deleteStoredProvider } from '#tests/helpers/notification_provider'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import type { Sample } from '#tests/helpers/provider_samples'
import { serviceUrl } from '#tests/helpers/send'
import { HOOK_KEY, signatureOf } from '#tests/helpers/signature'
import { TestSmtpServer } from '#tests/world/smtp_server'

export const HOOK_PATH = '/api/idp/notifications/email'

/** Stores `HOOK_KEY` for the tests of the group. */
export function withSigningKey(group: Group) {
  group.each.setup(async () => {
    await deleteStoredProvider()
    await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
    return deleteStoredProvider
  })
}

export function postToHook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'zitadel-signature': signatureOf(body) },
  url = serviceUrl()
) {
  return fetch(`${url}${HOOK_PATH}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Posts a message; returns the status, the data and the time it took. */
export async function postProviderMessage(sample: Sample, url?: string) {
  const startedAt = performance.now()
  const response = await postToHook(encodeMessage(sample), undefined, url)
  const body = (await response.json()) as { data: { status: string; templateSource: string } }
  return { code: response.status, ...body.data, ms: performance.now() - startedAt }
}

/** Encodes a message like the provider. */
export function encodeMessage(sample: Sample) {
  const escaped: Record<string, string> = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' }
  return JSON.stringify(sample).replace(/[&<>]/g, (character) => escaped[character])
}

export function withRecipient(
  sample: Sample,
  organisation: string | undefined,
  email = uniqueEmail()
) {
  return {
    ...sample,
    contextInfo: { ...sample.contextInfo, recipientEmailAddress: email },
    args: { ...sample.args, orgID: organisation } as Record<string, unknown>,
  }
}

/** An organisation whose brand has its own SMTP server. */
export async function anOrganisation(fields: Partial<Brand> = {}) {
  const server = await new TestSmtpServer().start()
  const id = uniqueCode('organisation')
  const slug = uniqueCode('brand')
  const brand = await Brand.create({
    slug,
    name: `Brand ${slug}`,
    isDefault: false,
    idpOrgId: id,
    emailFrom: `hello@${slug}.example`,
    smtp: { host: '127.0.0.1', port: server.port, secure: false, user: null, password: null },
    ...fields,
  })
  return { id, brand, server }
}

/** The log entries of a person, oldest first. */
export const logEntriesOf = (email: string) =>
  Notification.query().where('email', email).orderBy('id')

export async function storedMail(email: string) {
  const [last] = (await logEntriesOf(email)).slice(-1)
  return ProviderMail.findByOrFail('notificationId', last.id)
}

/** Due before the leftovers of other tests. */
export const LONG_AGO = DateTime.utc(2000)

/** Makes a mail due after its first attempt, and processes all due mails. */
export async function deliverDueMail(mail: ProviderMail, fields: Partial<ProviderMail> = {}) {
  await finishPendingDeliveries()
  const fresh = await ProviderMail.findOrFail(mail.id)
  await fresh.merge({ dueAt: LONG_AGO, ...fields }).save()
  await new ProviderMailSource().work()
  await finishPendingDeliveries()
  return fresh.refresh()
}
