import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import NotificationType from '#app/notifications/models/notification_type'
import { unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import { renderingTurns } from '#app/notifications/rendering/rendering_turns'
import { burn } from '#tests/helpers/event_loop'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const previewPath = ({ id }: { id: number }, locale = 'en') =>
  `/api/admin/notifications/templates/${id}/locales/${locale}/preview`

test.group('Preview of a language version', () => {
  test('shows the message as the caller would receive it', async ({ assert, client }) => {
    const application = await anApplication({ name: 'Shop' })
    const template = await aTemplate(application, { code: 'generic' })
    await aVersion(template, 'en', {
      subjectTemplate: '{{appName}}: {{order.number}} for {{userEmail}}',
      bodyTemplate: '<p>{{note}}</p>',
    })
    const admin = superAdmin(client)
    const response = await admin.post(previewPath(template), {
      data: { order: { number: 7 }, note: '<b>"x"</b>', appName: 'Evil', ignored: [1, 2] },
    })
    response.assertStatus(200)
    const { subject, html, text, inboxText, missing, warnings, ...rest } = response.body().data
    assert.isEmpty(rest)
    assert.deepEqual(
      warnings.map(({ value }: { value: string }) => value),
      ['order.number', 'note']
    )
    assert.equal(subject, `Shop: 7 for ${admin.email}`)
    assert.include(html, '<p>&lt;b&gt;&quot;x&quot;&lt;/b&gt;</p>')
    const type = await NotificationType.findByOrFail({ applicationId: application.id })
    const url = unsubscribeUrl(await User.withEmail(admin.email), type)
    assert.equal(text, `<b>"x"</b>\n\nUnsubscribe: ${url}`)
    assert.equal(inboxText, '<b>"x"</b>')
    assert.include(html, `<a href="${url}"`)
    assert.deepEqual(missing, [])
  })

  test('offers no link to unsubscribe where the mail has none', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application, { userCanDisable: false })
    const template = await aTemplate(application, type)
    await aVersion(template, 'en')
    const response = await superAdmin(client).post(previewPath(template), { data: {} })
    assert.equal(response.body().data.text, 'Hello en')
    assert.notInclude(response.body().data.html, 'nsubscribe')
  })

  test('lists required variables that are absent, null or empty, and still renders', async ({
    assert,
    client,
  }) => {
    const variables = ['a', 'b', 'c', 'd', 'e.f', 'zero', 'no'].map((key) => ({
      key,
      required: key !== 'd',
    }))
    const template = await aTemplate(
      await anApplication(),
      { code: 'generic' },
      { variables: [...variables, { key: 'userName', required: true }] }
    )
    await aVersion(template, 'en', { subjectTemplate: '[{{a}}]' })
    const response = await superAdmin(client).post(previewPath(template), {
      data: { b: null, c: '', e: {}, zero: 0, no: false },
    })
    response.assertStatus(200)
    assert.deepEqual(response.body().data.missing, ['a', 'b', 'c', 'e.f'])
    assert.equal(response.body().data.subject, '[]')
  })

  test('accepts 10,000 variables and hostile keys', async ({ assert, client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    await aVersion(template, 'en', { subjectTemplate: '{{v9999}}|{{x}}|{{constructor.name}}' })
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`v${n}`, n]))
    const data = JSON.parse(JSON.stringify(many).replace('{', '{"__proto__":{"x":"polluted"},'))
    const response = await superAdmin(client).post(previewPath(template), { data })
    response.assertStatus(200)
    assert.equal(response.body().data.subject, '9999||')
  })

  test('returns 404 for an unknown version or template', async ({ client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    await aVersion(template, 'en')
    const admin = superAdmin(client)
    for (const locale of ['cs', 'xx', '*']) {
      const version = await admin.post(previewPath(template, locale), { data: {} })
      version.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
    }
    const unknown = await admin.post(previewPath({ id: 2_000_000_000 }), { data: {} })
    unknown.assertProblem(404, 'TEMPLATE_NOT_FOUND')
  })

  test('rejects data that is not an object')
    .with(['text', 5, true, ['a']])
    .run(async ({ client }, data) => {
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      await aVersion(template, 'en')
      const response = await superAdmin(client).post(previewPath(template), { data })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'data' }] })
    })

  test('is rendered after what its application renders already', async ({ assert, client }) => {
    const application = await anApplication()
    const template = await aTemplate(application, { code: 'generic' })
    await aVersion(template, 'en')
    const done: string[] = []
    const owner = { group: application.id }
    // The rest after it is longer than a request takes.
    await renderingTurns.run(() => burn(500), owner)
    const message = renderingTurns.run(() => done.push('message'), owner)
    const response = await superAdmin(client).post(previewPath(template), { data: {} })
    done.push('preview')
    response.assertStatus(200)
    await message
    assert.deepEqual(done, ['message', 'preview'])
  })

  test('rejects data that makes the message too large', async ({ client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    await aVersion(template, 'en', { bodyTemplate: '{{x}}'.repeat(1_000) })
    const response = await superAdmin(client).post(previewPath(template), {
      data: { x: 'x'.repeat(10_000) },
    })
    response.assertProblem(400, 'RENDERED_TOO_LARGE')
  })
})

test.group('Preview of a draft', () => {
  const variables = [{ key: 'name', required: true }]

  test('shows texts that are not saved, with warnings', async ({ assert, client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' }, { variables })
    await aVersion(template, 'en', { subjectTemplate: 'Stored {{name}}' })
    const admin = superAdmin(client)
    const body = '<style>p{color:red}</style><p>Hi {{name}}</p>\n<a href="http://a.example">x</a>'
    const data = { name: '<Ada>' }
    const both = await admin.post(previewPath(template), { subject: 'Draft {{name}}', body, data })
    both.assertStatus(200)
    assert.equal(both.body().data.subject, 'Draft <Ada>')
    assert.include(both.body().data.html, '<p style="color: red;">Hi &lt;Ada&gt;</p>')
    assert.include(both.body().data.text, 'Hi <Ada>')
    const [warning, ...others] = both.body().data.warnings
    assert.isEmpty(others)
    assert.containSubset(warning, { code: 'INSECURE_LINK', field: 'bodyTemplate', line: 2 })
    const one = await admin.post(previewPath(template), { body })
    assert.equal(one.body().data.subject, 'Stored')
    assert.include(one.body().data.html, 'color: red')
    assert.containSubset(one.body().data.warnings[0], { code: 'MISSING_VARIABLE', value: 'name' })
    const version = await admin.get(previewPath(template).replace('/preview', ''))
    assert.containSubset(version.body().data, { revision: 1, subjectTemplate: 'Stored {{name}}' })
  })

  test('can be of a language without a version, if it has both texts', async ({
    assert,
    client,
  }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    const admin = superAdmin(client)
    const draft = { subject: 'Ahoj', body: '<p>Ahoj</p>' }
    const complete = await admin.post(previewPath(template, 'cs'), draft)
    complete.assertStatus(200)
    assert.include(complete.body().data.html, '<html lang="cs"')
    const partial = await admin.post(previewPath(template, 'cs'), { body: draft.body })
    partial.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
    const unregistered = await admin.post(previewPath(template, 'xx'), draft)
    unregistered.assertProblem(404, 'LANGUAGE_NOT_FOUND')
  })

  test('is refused for the same reasons as a save', async ({ client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    const preview = (draft: object) =>
      superAdmin(client).post(previewPath(template), { subject: 'a', body: 'b', ...draft })
    const broken = await preview({ body: 'a\n{{#each}}' })
    broken.assertProblem(400, 'TEMPLATE_SYNTAX', { line: 2, field: 'bodyTemplate' })
    const active = await preview({ body: '<script>x()</script>' })
    active.assertProblem(400, 'TEMPLATE_SYNTAX', { field: 'bodyTemplate' })
    const complex = await preview({ body: '<div>'.repeat(600) })
    complex.assertProblem(400, 'TEMPLATE_TOO_COMPLEX', { field: 'bodyTemplate' })
    for (const draft of [{ subject: '' }, { subject: 'x'.repeat(1_001) }, { body: 5 }]) {
      const invalid = await preview(draft)
      invalid.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: Object.keys(draft)[0] }],
      })
    }
  })
})
