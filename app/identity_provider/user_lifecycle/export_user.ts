import { isDeepStrictEqual } from 'node:util'
import { DateTime } from 'luxon'
import type { LucidModel, LucidRow, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { readEntriesAbout } from '#app/audit/actions/read_entries_about'
import AuditEntry from '#app/audit/models/audit_entry'
import PanelSession from '#app/auth/models/panel_session'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import AccessChange from '#app/checks/models/access_change'
import { decodeExplanation } from '#app/delivery/planning/encoded_explanation'
import Delivery from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { readMaskedPayload } from '#app/notifications/actions/read_masked_payload'
import Notification from '#app/notifications/models/notification'
import NotificationPreference from '#app/notifications/models/notification_preference'
import { MASK } from '#app/notifications/values/sensitive_variables'
import PushSubscription from '#app/notifications/models/push_subscription'
import TemplateRevision from '#app/notifications/models/template_revision'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import SeededSuperAdmin from '#app/permissions/models/seeded_super_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { UserNotFound } from '#app/profiles/exceptions'
import ApplicationPreference from '#app/profiles/models/application_preference'
import LoginRecord from '#app/profiles/models/login_record'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'

/** Rows per query, so that the size of an export does not matter. */
const PAGE_SIZE = 200

type Query = ModelQueryBuilderContract<LucidModel, LucidRow>

/** Reads rows with larger ids, in the order of their ids. */
type ReadPage = (after: number, limit: number) => Promise<LucidRow[]>

/** What is stored about a user, by the names in the export. */
function partsOf(email: string, owner: string | null): [string, ReadPage][] {
  const users = User.query().where({ email }).select('id')
  const notifications = () => Notification.query().where({ email }).select('id')
  const ofUser = (model: LucidModel) => model.query().whereIn('userId', users.clone())
  const ofNotifications = (model: LucidModel) =>
    model.query().whereIn('notificationId', notifications())
  const queries: Record<string, () => unknown> = {
    users: () => User.query().where({ email }),
    preferences: () => ofUser(ApplicationPreference),
    notificationPreferences: () => ofUser(NotificationPreference),
    pushSubscriptions: () => ofUser(PushSubscription),
    registrationLocales: () => RegistrationLocale.query().where({ email }),
    identityProviderAccounts: () => ProviderUser.about(email),
    roles: () => UserRole.query().where({ email }).preload('role'),
    overrides: () => ResourceOverride.query().where({ email }).preload('permission'),
    applicationAdministrations: () => ApplicationAdmin.query().where({ email }),
    superAdministrations: () => SuperAdmin.query().where({ email }),
    seededSuperAdministrations: () => SeededSuperAdmin.query().where({ email }),
    panelSessions: () =>
      PanelSession.query().where(owner === null ? { email } : { subject: owner }),
    loginRecords: () => LoginRecord.query().where({ email }),
    notifications: () => Notification.query().where({ email }),
    deliveries: () => ofNotifications(Delivery),
    deliveryAttempts: () => ofNotifications(DeliveryAttempt),
    mailBounces: () => MailBounce.query().where({ email }),
    suppressions: () => Suppression.query().where({ email }),
    // The condition on the broadcast makes the index usable.
    broadcastRecipients: () =>
      BroadcastRecipient.query()
        .whereIn('broadcastId', Broadcast.query().select('id'))
        .where({ email }),
    accessChanges: () => AccessChange.about(email),
    webhookDeliveries: () => WebhookDelivery.query().where({ email }),
    createdBroadcasts: () => Broadcast.query().where('createdBy', email),
    savedTemplates: () => TemplateRevision.query().where('actorEmail', email),
  }
  const parts = Object.entries(queries).map(([name, query]): [string, ReadPage] => [
    name,
    (after, limit) => (query() as Query).where('id', '>', after).orderBy('id').limit(limit),
  ])
  return [...parts, ['auditEntries', (...page) => readEntriesAbout(email, ...page)]]
}

const CHAIN_FIELDS = ['sequence', 'hash', 'salt']

/** Without codes and other values that only the recipients see. */
async function toJson(row: LucidRow, email: string): Promise<string> {
  const fields = row.serialize()
  if (row instanceof Notification) Object.assign(fields, await readableContent(row))
  if (row instanceof AccessChange) fields.scopes = row.scopesOf(email)
  if (row instanceof Broadcast) delete fields.data
  // They would confirm guesses about the entries of others.
  if (row instanceof AuditEntry) for (const name of CHAIN_FIELDS) delete fields[name]
  if (row instanceof TemplateRevision) delete fields.bodyTemplate
  return JSON.stringify(fields)
}

/** A body that may quote a sensitive value is left out as a whole. */
async function readableContent(notification: Notification) {
  const payload = await readMaskedPayload(notification)
  const isShown = isDeepStrictEqual(payload, notification.payload)
  const hide = (text: string | null) => (isShown ? text : text && MASK)
  const { bodyText, bodyHtml, explanation } = notification
  return {
    payload,
    bodyText: hide(bodyText),
    bodyHtml: hide(bodyHtml),
    explanation: explanation && decodeExplanation(explanation),
  }
}

/**
 * Everything that is stored about a user, as pieces of a JSON document.
 * @throws UserNotFound if nothing is stored about the address
 */
export async function exportUser(email: string): Promise<AsyncGenerator<string>> {
  const user = await User.findBy({ email })
  const parts = partsOf(email, user?.provenAccount ?? null)
  for (const [, readPage] of parts) {
    if ((await readPage(0, 1)).length > 0) return writeDocument(email, parts)
  }
  throw new UserNotFound()
}

async function* writeDocument(email: string, parts: [string, ReadPage][]) {
  const head = { email, exportedAt: isoTimestamp(DateTime.utc()) }
  yield `{"success":true,"data":${JSON.stringify(head).slice(0, -1)}`
  for (const [name, readPage] of parts) {
    yield `,${JSON.stringify(name)}:[`
    yield* writeRows(readPage, email)
    yield ']'
  }
  yield '}}'
}

async function* writeRows(readPage: ReadPage, email: string) {
  for (let after = 0; ;) {
    const rows = await readPage(after, PAGE_SIZE)
    if (rows.length > 0) {
      const texts: string[] = []
      // One after the other, so that an export holds one connection.
      for (const row of rows) texts.push(await toJson(row, email))
      yield (after === 0 ? '' : ',') + texts.join(',')
    }
    if (rows.length < PAGE_SIZE) return
    after = Number(rows.at(-1)!.$primaryKeyValue)
  }
}
