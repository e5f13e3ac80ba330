import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import { saveVersion } from '#app/notifications/actions/save_version'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import { runSeedAuth } from '#app/identity_provider/auth_templates/run_seed_auth'
import { AUTH_TEMPLATES } from '#app/identity_provider/auth_templates/auth_templates'
import { projectPath } from '#core/process/root'
import { seedRequiredData } from '#database/seeders/required_data_seeder'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'
import {
  withRecipient,
  anOrganisation,
  logEntriesOf,
  postProviderMessage,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { passwordReset } from '#tests/helpers/provider_samples'

const TYPE_PATH = '/api/admin/notifications/types/auth/auth_idp'

const authType = () => NotificationType.of('auth', 'auth_idp')

async function templateOf(key: string) {
  const { id: notificationTypeId } = await authType()
  return NotificationTemplate.findByOrFail({ notificationTypeId, key })
}

async function authSeed(...args: string[]) {
  const child = spawn(process.execPath, ['ace.js', 'auth:seed', ...args], {
    cwd: projectPath(),
    env: process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}

test.group('Auth seed', (group) => {
  withSigningKey(group)

  test('creates the type with its fixed switches and every template in both languages', async ({
    assert,
    client,
  }) => {
    const type = await superAdmin(client).get(TYPE_PATH)
    assert.containSubset(type.body().data, {
      emailEnabled: true,
      pushEnabled: false,
      userCanDisable: false,
      selfServiceEnabled: false,
      system: true,
      emailFromName: 'Auth',
    })
    for (const key of AUTH_TEMPLATES) {
      const template = await templateOf(key)
      const versions = await TemplateVersion.query().where('notificationTemplateId', template.id)
      assert.sameMembers(
        versions.map(({ locale }) => locale),
        ['cs', 'en'],
        key
      )
    }
    assert.includeMembers((await Application.withCode('auth')).supportedLanguages, ['cs', 'en'])
  })

  test('creates versions that the panel accepts and that use only declared variables', async ({
    assert,
  }) => {
    for (const key of AUTH_TEMPLATES) {
      const template = await templateOf(key)
      for (const version of await TemplateVersion.query().where(
        'notificationTemplateId',
        template.id
      )) {
        const { subjectTemplate, bodyTemplate, locale } = version
        const saved = await saveVersion(template.id, locale, { subjectTemplate, bodyTemplate })
        assert.deepEqual(saved.warnings, [], `${key} ${locale}`)
        assert.isBelow(bodyTemplate.length, 20_000)
        assert.notMatch(saved.version.textTemplate, /<|display:none/)
      }
    }
  })

  test('lets administrators change the sender name but not the switches', async ({
    assert,
    client,
    cleanup,
  }) => {
    const admin = superAdmin(client)
    for (const [name, value] of Object.entries({
      emailEnabled: false,
      pushEnabled: true,
      userCanDisable: true,
      selfServiceEnabled: true,
    })) {
      const response = await admin.put(TYPE_PATH, { [name]: value })
      response.assertProblem(409, 'TYPE_PROTECTED')
    }
    const response = await admin.delete(TYPE_PATH)
    response.assertProblem(409, 'TYPE_PROTECTED')
    await admin.put(TYPE_PATH, { system: false })
    assert.isTrue((await authType()).system)

    cleanup(async () => {
      await admin.put(TYPE_PATH, { emailFromName: 'Auth' })
    })
    const renamed = await admin.put(TYPE_PATH, { emailFromName: 'Accounts' })
    renamed.assertStatus(200)
    await seedRequiredData()
    assert.equal((await authType()).emailFromName, 'Accounts')
  })

  test('keeps edited texts, restores missing ones and corrects the switches', async ({
    assert,
    cleanup,
  }) => {
    const template = await templateOf('password_reset')
    const original = await TemplateVersion.of(template.id, 'cs')
    const texts = { subjectTemplate: 'Moje heslo', bodyTemplate: '<p>{{code}}</p>' }
    cleanup(async () => {
      await saveVersion(template.id, 'cs', {
        subjectTemplate: original.subjectTemplate,
        bodyTemplate: original.bodyTemplate,
      })
    })
    await saveVersion(template.id, 'cs', texts)
    await (await TemplateVersion.of(template.id, 'en')).delete()
    await (await templateOf('otp_email')).delete()
    await (await authType()).merge({ pushEnabled: true }).save()
    await (await NotificationType.of('auth', 'generic')).delete()

    const missing = [
      'type generic of auth',
      'type auth_idp',
      'template otp_email (cs)',
      'template otp_email (en)',
      'template password_reset (en)',
    ]
    assert.sameMembers(await runSeedAuth({ dryRun: true }), missing)
    assert.isTrue((await authType()).pushEnabled, 'a dry run changes nothing')
    assert.sameMembers(await runSeedAuth({ dryRun: false }), missing)
    assert.deepEqual(await runSeedAuth({ dryRun: false }), [])
    assert.containSubset(await TemplateVersion.of(template.id, 'cs'), texts)
    assert.isFalse((await authType()).pushEnabled)
  })

  test('sends an edited template, but not a broken or empty one', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const template = await templateOf('password_reset')
    cleanup(async () => {
      await NotificationTemplate.query().where('key', 'password_reset').delete()
      await seedRequiredData()
    })
    const bodyTemplate = '<p>{{code}} {{lastName}} {{orgName}} {{evil}} <a href="{{url}}">x</a></p>'
    await saveVersion(template.id, 'en', { subjectTemplate: 'Code {{code}}', bodyTemplate })
    const email = uniqueEmail()
    assert.containSubset(await postProviderMessage(withRecipient(passwordReset(), id, email)), {
      status: 'sent',
      templateSource: 'panel',
    })
    const [{ parsed }] = server.mailsTo(email)
    assert.equal(parsed.subject, 'Code Q4MN8Z')
    assert.match(parsed.text!, /^Q4MN8Z Müller Brand /)
    const [audit] = await logEntriesOf(email)
    assert.equal(audit.subject, 'Code …', 'the log does not tell the code')

    const broken = await TemplateVersion.of(template.id, 'en')
    await broken.merge({ inlinedBody: '{{#each}}' }).save()
    const second = uniqueEmail()
    await postProviderMessage(withRecipient(passwordReset(), id, second))
    assert.deepEqual((await logEntriesOf(second))[0].payload, {
      templateSource: 'idp',
      fallbackReason: 'RENDER_ERROR',
    })

    for (const version of await TemplateVersion.query().where(
      'notificationTemplateId',
      template.id
    ))
      await version.delete()
    const third = uniqueEmail()
    await postProviderMessage(withRecipient(passwordReset(), id, third))
    assert.deepEqual((await logEntriesOf(third))[0].payload, {
      templateSource: 'idp',
      fallbackReason: 'NO_LOCALE',
    })

    await template.delete()
    const fourth = uniqueEmail()
    await postProviderMessage(withRecipient(passwordReset(), id, fourth))
    assert.deepEqual((await logEntriesOf(fourth))[0].payload, {
      templateSource: 'idp',
      fallbackReason: 'NO_TEMPLATE',
    })
  })

  test('reports and creates what is missing', async ({ assert }) => {
    await (await templateOf('domain_claimed')).delete()
    const created = ['template domain_claimed (cs)', 'template domain_claimed (en)']
    const dryRun = await authSeed('--dry-run', '--json')
    assert.equal(dryRun.code, 0)
    assert.deepEqual(JSON.parse(dryRun.output), { dryRun: true, created })
    const run = await authSeed('--json')
    assert.deepEqual(JSON.parse(run.output), { dryRun: false, created })
    const again = await authSeed()
    assert.equal(again.code, 0)
    assert.include(again.output, 'Nothing is missing')
  }).timeout(60_000)
})
