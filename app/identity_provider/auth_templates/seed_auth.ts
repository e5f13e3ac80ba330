import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChange } from '#core/audit/record_change'
import { insertApplication } from '#app/applications/actions/create_application'
import Application from '#app/applications/models/application'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { ensureGenericType, GENERIC_TYPE } from '#app/notifications/actions/ensure_generic_type'
import { nextRevision, recordRevision } from '#app/notifications/actions/record_revision'
import type { VersionTexts } from '#app/notifications/preparation/prepare_texts'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import { seedPanel } from '#app/permissions/actions/seed_panel'
import { seedPlatform } from '#app/platform/actions/seed_platform'
import {
  AUTH_TEMPLATES,
  AUTH_TYPE,
  AUTH_TYPE_SWITCHES,
  type AuthTemplateKey,
} from '#app/identity_provider/auth_templates/auth_templates'
import { AUTH_TEMPLATE_FACTS } from '#app/identity_provider/auth_templates/auth_template_facts'
import identityProvider from '#config/identity_provider'
import { AUTH_EMAIL_LANGUAGES, authEmailTexts } from '#resources/auth_emails/main'

const INITIAL_FROM_NAME = 'Auth'

/** What a seed created or corrected, such as `template password_reset (cs)`. */
export type SeedReport = string[]

/**
 * Creates what the panel and the provider's mails need; keeps all edits (platform.md#seeding).
 */
export async function seedAuth(trx: TransactionClientContract): Promise<SeedReport> {
  await seedPlatform(trx)
  const seeded: SeedReport = await seedPanel(trx)
  const application = await ensureApplication(trx, seeded)
  // The listener would do this too, but at startup listeners are registered after the seeds.
  for (const { id, code } of [await Application.withCode(PANEL_APPLICATION, trx), application]) {
    if (await ensureGenericType(id, trx)) seeded.push(`type ${GENERIC_TYPE} of ${code}`)
  }
  const type = await ensureType(application, trx, seeded)
  for (const key of AUTH_TEMPLATES) await ensureTemplate(type, key, trx, seeded)
  if (seeded.length > 0) {
    await recordChange(trx, {
      action: 'platform.seeded',
      application: null,
      target: { kind: 'platform', id: 'seed', label: 'Required data' },
      before: null,
      after: { seeded },
    })
  }
  return seeded
}

async function ensureApplication(trx: TransactionClientContract, seeded: SeedReport) {
  const code = identityProvider.notificationApplication
  const existing = await Application.findBy({ code }, { client: trx })
  const application = existing ?? (await insertApplication({ code, name: code }, trx))
  if (!existing) seeded.push(`application ${code}`)
  // Without languages, nobody would get mails in the language they registered in.
  if (application.supportedLanguages.length === 0) {
    await application.merge({ supportedLanguages: [...AUTH_EMAIL_LANGUAGES] }).save()
    seeded.push(`languages of ${code}`)
  }
  return application
}

async function ensureType(
  { id: applicationId }: Application,
  trx: TransactionClientContract,
  seeded: SeedReport
) {
  const type = await NotificationType.firstOrNew(
    { applicationId, code: AUTH_TYPE },
    {
      name: 'Identity provider',
      description: 'E-mails about accounts and signing in, sent for the identity provider',
      emailFromName: INITIAL_FROM_NAME,
    },
    { client: trx }
  )
  type.merge(AUTH_TYPE_SWITCHES)
  if (type.$isDirty) seeded.push(`type ${AUTH_TYPE}`)
  return type.save()
}

async function ensureTemplate(
  { id: notificationTypeId }: NotificationType,
  key: AuthTemplateKey,
  trx: TransactionClientContract,
  seeded: SeedReport
) {
  const template = await NotificationTemplate.firstOrCreate(
    { notificationTypeId, key },
    AUTH_TEMPLATE_FACTS[key],
    { client: trx }
  )
  const versions = await TemplateVersion.query({ client: trx })
    .select('locale')
    .where('notificationTemplateId', template.id)
  const present = new Set(versions.map(({ locale }) => locale))
  for (const locale of AUTH_EMAIL_LANGUAGES) {
    if (present.has(locale)) continue
    const fields = await prepare(authEmailTexts(locale, key))
    const revision = await nextRevision(template.id, locale, trx)
    const version = await TemplateVersion.create(
      { ...fields, locale, revision, notificationTemplateId: template.id },
      { client: trx }
    )
    await recordRevision(version, trx)
    seeded.push(`template ${key} (${locale})`)
  }
}

/** Loads the HTML parser only if a text is missing. */
async function prepare(texts: VersionTexts) {
  const { prepareTexts } = await import('#app/notifications/preparation/prepare_texts')
  return prepareTexts(texts)
}
