import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import TemplateVersion from '#app/notifications/models/template_version'
import { anotherService } from '#tests/helpers/internal'
import { anApplication, superAdmin, uniqueCode } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

/** The same routes exist for other services and for the panel. */
const CLIENTS = [
  { name: 'internal', root: '/api/internal/notifications', open: anotherService },
  { name: 'admin', root: '/api/admin/notifications', open: superAdmin },
] satisfies { name: string; root: string; open: (client: ApiClient) => unknown }[]

for (const { name, root, open } of CLIENTS) {
  test.group(`Named templates, ${name}`, () => {
    test('are created with all fields', async ({ assert, client }) => {
      const application = await anApplication()
      const type = await aType(application)
      const path = `${root}/types/${application.code}/${type.code}/templates`
      const variables = [
        { key: 'order.number', required: true },
        { key: 'note', required: false },
      ]
      const response = await open(client).post(path, { key: 'main', name: 'Main', variables })
      response.assertStatus(201)
      const { id, createdAt, updatedAt, ...rest } = response.body().data
      assert.isAbove(id, 0)
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepEqual(rest, {
        type: type.code,
        key: 'main',
        name: 'Main',
        description: null,
        variables,
        locales: [],
      })
      const listed = await open(client).get(path)
      assert.deepEqual(listed.body(), { success: true, data: [response.body().data] })
    })

    test('are listed by id with their locales, per type and per application', async ({
      assert,
      client,
    }) => {
      const application = await anApplication()
      const type = await aType(application)
      const other = await aType(application)
      const first = await aTemplate(application, type, { key: 'z' })
      const second = await aTemplate(application, other, { key: 'a' })
      const third = await aTemplate(application, type, { key: 'b' })
      await aVersion(first, 'en')
      await aVersion(first, 'cs')
      await aTemplate(await anApplication(), { code: 'generic' })
      const ofType = await open(client).get(
        `${root}/types/${application.code}/${type.code}/templates`
      )
      ofType.assertStatus(200)
      assert.deepEqual(
        ofType
          .body()
          .data.map((template: { key: string; locales: string[] }) => [
            template.key,
            template.locales,
          ]),
        [
          ['z', ['cs', 'en']],
          ['b', []],
        ]
      )
      const all = await open(client).get(`${root}/templates/${application.code}`)
      all.assertStatus(200)
      assert.deepEqual(
        all.body().data.map(({ id }: { id: number }) => id),
        [first.id, second.id, third.id]
      )
    })

    test('change only in the fields that are sent, and never in their key', async ({
      assert,
      client,
    }) => {
      const application = await anApplication()
      const template = await aTemplate(application, { code: 'generic' }, { description: 'Before' })
      const response = await open(client).put(`${root}/templates/${template.id}`, {
        key: 'other',
        name: 'After',
        variables: [{ key: 'x', required: true }],
      })
      response.assertStatus(200)
      assert.containSubset(response.body().data, {
        key: 'main',
        name: 'After',
        description: 'Before',
        variables: [{ key: 'x', required: true }],
      })
    })

    test('are deleted with their language versions', async ({ assert, client }) => {
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      const version = await aVersion(template, 'en')
      const response = await open(client).delete(`${root}/templates/${template.id}`)
      response.assertStatus(204)
      assert.isNull(await TemplateVersion.find(version.id))
      const again = await open(client).delete(`${root}/templates/${template.id}`)
      again.assertProblem(404, 'TEMPLATE_NOT_FOUND')
    })

    test('have a unique key in their type, also with concurrent requests', async ({
      assert,
      client,
    }) => {
      const application = await anApplication()
      const other = await aType(application)
      const path = `${root}/types/${application.code}/generic/templates`
      const responses = await Promise.all(
        [1, 2].map(() => open(client).post(path, { key: 'main', name: 'Main' }))
      )
      assert.deepEqual(responses.map((response) => response.status()).sort(), [201, 409])
      responses.find((response) => response.status() === 409)!.assertProblem(409, 'TEMPLATE_EXISTS')
      const elsewhere = await open(client).post(
        `${root}/types/${application.code}/${other.code}/templates`,
        { key: 'main', name: 'Main' }
      )
      elsewhere.assertStatus(201)
    })

    test('are 404 if they do not exist', async ({ assert, client }) => {
      const { code } = await anApplication()
      const door = open(client)
      const body = { key: 'a', name: 'A' }
      const unknown = uniqueCode()
      const application = await door.get(`${root}/templates/${unknown}`)
      application.assertProblem(404, 'APPLICATION_NOT_FOUND')
      for (const response of [
        await door.get(`${root}/types/${code}/${unknown}/templates`),
        await door.post(`${root}/types/${code}/${unknown}/templates`, body),
      ]) {
        response.assertProblem(404, 'NOTIFICATION_TYPE_NOT_FOUND')
      }
      const path = `${root}/templates/2000000000`
      for (const response of [
        await door.put(path, { name: 'A' }),
        await door.delete(path),
        await door.get(`${path}/locales`),
        await door.put(`${path}/locales/en`, { subjectTemplate: 's', bodyTemplate: 'b' }),
        await door.delete(`${path}/locales/en`),
      ]) {
        response.assertProblem(404, 'TEMPLATE_NOT_FOUND')
        assert.equal(response.body().detail, 'Template 2000000000 does not exist')
      }
      for (const id of ['0', '-1', 'abc', '9007199254740993']) {
        const response = await door.put(`${root}/templates/${id}`, { name: 'A' })
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'id' }] })
      }
    })

    test('are rejected with the invalid field: {field}')
      .with([
        { field: 'key', body: { name: 'A' } },
        { field: 'key', body: { key: 'a b', name: 'A' } },
        { field: 'name', body: { key: 'a' } },
        { field: 'variables', body: { key: 'a', name: 'A', variables: {} } },
        {
          field: 'variables.0.key',
          body: { key: 'a', name: 'A', variables: [{ required: true }] },
        },
        {
          field: 'variables.0.key',
          body: { key: 'a', name: 'A', variables: [{ key: '{{x}}', required: true }] },
        },
        {
          field: 'variables.0.required',
          body: { key: 'a', name: 'A', variables: [{ key: 'x', required: 'yes' }] },
        },
        {
          field: 'variables',
          body: {
            key: 'a',
            name: 'A',
            variables: [
              { key: 'x', required: true },
              { key: 'x', required: false },
            ],
          },
        },
        {
          field: 'variables',
          body: {
            key: 'a',
            name: 'A',
            variables: Array.from({ length: 201 }, (_, n) => ({ key: `v${n}`, required: false })),
          },
        },
      ])
      .run(async ({ client }, { field, body }) => {
        const { code } = await anApplication()
        const response = await open(client).post(`${root}/types/${code}/generic/templates`, body)
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      })
  })

  test.group(`Language versions, ${name}`, () => {
    const texts = { subjectTemplate: 'Order {{number}}', bodyTemplate: '<p>Hi {{userName}}</p>' }

    test('are created, replaced, listed and deleted', async ({ assert, client }) => {
      const door = open(client)
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      const path = `${root}/templates/${template.id}/locales`
      const created = await door.put(`${path}/en`, texts)
      created.assertStatus(200)
      created.assertBodyContains({ success: true, data: { locale: 'en', ...texts } })
      const same = await door.put(`${path}/en`, texts)
      same.assertStatus(200)
      assert.isAbove(
        Date.parse(same.body().data.updatedAt),
        Date.parse(created.body().data.updatedAt)
      )
      const changed = await door.put(`${path}/en`, { ...texts, subjectTemplate: 'Changed' })
      changed.assertStatus(200)
      assert.equal(changed.body().data.id, created.body().data.id)
      assert.isAbove(
        Date.parse(changed.body().data.updatedAt),
        Date.parse(created.body().data.updatedAt)
      )
      await door.put(`${path}/cs`, texts)
      const listed = await door.get(path)
      listed.assertStatus(200)
      assert.deepEqual(
        listed
          .body()
          .data.map((version: { locale: string; subjectTemplate: string }) => [
            version.locale,
            version.subjectTemplate,
          ]),
        [
          ['en', 'Changed'],
          ['cs', texts.subjectTemplate],
        ]
      )
      const deleted = await door.delete(`${path}/en`)
      deleted.assertStatus(204)
      const again = await door.delete(`${path}/en`)
      again.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
    })

    test('warn of placeholders that are neither declared nor set by the service', async ({
      assert,
      client,
    }) => {
      const variables = [
        { key: 'number', required: true },
        { key: 'order', required: false },
        { key: 'customer.name', required: false },
      ]
      const template = await aTemplate(await anApplication(), { code: 'generic' }, { variables })
      const save = (body: string) =>
        open(client).put(`${root}/templates/${template.id}/locales/en`, {
          subjectTemplate: '{{numbr}} {{number}}',
          bodyTemplate: body,
        })
      const warned = await save(
        '{{order.id}} {{customer.name}} {{customer.age}} {{appName}} {{orgName}} {{userName}} {{userEmail}} {{currentYear}} {{numbr}}'
      )
      assert.deepEqual(
        warned
          .body()
          .data.warnings.map(({ code, value }: { code: string; value: string }) => [code, value]),
        [
          ['UNKNOWN_VARIABLE', 'numbr'],
          ['UNKNOWN_VARIABLE', 'customer.age'],
        ]
      )
      const fine = await open(client).put(`${root}/templates/${template.id}/locales/en`, {
        subjectTemplate: '{{number}}',
        bodyTemplate: 'plain',
      })
      assert.deepEqual(fine.body().data.warnings, [])
    })

    test('require a registered language in any spelling', async ({ assert, client }) => {
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      const save = (locale: string) =>
        open(client).put(`${root}/templates/${template.id}/locales/${locale}`, texts)
      for (const locale of ['xx', 'xx-GB', '*', 'garbage!', '%7B%7Bx%7D%7D', '__proto__']) {
        const response = await save(locale)
        response.assertProblem(404, 'LANGUAGE_NOT_FOUND')
      }
      for (const locale of ['CS', 'cs-CZ', 'cs_CZ.UTF-8']) {
        const response = await save(locale)
        assert.equal(response.body().data.locale, 'cs')
      }
      const path = `${root}/templates/${template.id}/locales`
      const read = await open(client).get(`${path}/cs-CZ`)
      assert.equal(read.body().data.locale, 'cs')
      const missing = await open(client).get(`${path}/en-GB`)
      missing.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
      assert.equal(missing.body().detail, `Template ${template.id} has no version in en`)
    })

    test('are rejected with the line if they cannot be parsed', async ({ assert, client }) => {
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      const save = (body: object) =>
        open(client).put(`${root}/templates/${template.id}/locales/en`, { ...texts, ...body })
      const inBody = await save({ bodyTemplate: '<p>\n{{#each}}\n</p>' })
      inBody.assertProblem(400, 'TEMPLATE_SYNTAX', { line: 2, field: 'bodyTemplate' })
      const inSubject = await save({ subjectTemplate: '{{{x}}}' })
      inSubject.assertProblem(400, 'TEMPLATE_SYNTAX', { line: 1, field: 'subjectTemplate' })
      const inScript = await save({ bodyTemplate: 'a\nb\n<script>{{x}}</script>' })
      inScript.assertProblem(400, 'TEMPLATE_SYNTAX', { line: 3, field: 'bodyTemplate' })
      assert.isNull(await TemplateVersion.findBy({ notificationTemplateId: template.id }))
    })

    test('are rejected with the invalid field: {field}')
      .with([
        { field: 'subjectTemplate', body: { subjectTemplate: undefined } },
        { field: 'subjectTemplate', body: { subjectTemplate: '' } },
        { field: 'subjectTemplate', body: { subjectTemplate: 's'.repeat(1_001) } },
        { field: 'subjectTemplate', body: { subjectTemplate: 5 } },
        { field: 'bodyTemplate', body: { bodyTemplate: undefined } },
        { field: 'bodyTemplate', body: { bodyTemplate: 'b'.repeat(65_537) } },
        { field: 'bodyTemplate', body: { bodyTemplate: ['x'] } },
      ])
      .run(async ({ client }, { field, body }) => {
        const template = await aTemplate(await anApplication(), { code: 'generic' })
        const path = `${root}/templates/${template.id}/locales/en`
        const response = await open(client).put(path, { ...texts, ...body })
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      })

    test('are created only once by concurrent requests', async ({ assert, client }) => {
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      const path = `${root}/templates/${template.id}/locales/en`
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          open(client).put(path, { ...texts, subjectTemplate: `${n}` })
        )
      )
      responses.forEach((response) => response.assertStatus(200))
      const versions = await TemplateVersion.query().where('notificationTemplateId', template.id)
      assert.lengthOf(versions, 1)
      const stamps = responses.map((response) => response.body().data.updatedAt)
      assert.lengthOf(new Set(stamps), 8)
    })
  })
}
