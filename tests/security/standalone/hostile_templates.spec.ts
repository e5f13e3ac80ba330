import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { composeMessage } from '#app/notifications/actions/compose_message'
import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import Brand from '#app/platform/models/brand'
import { anApplication, superAdmin, uniqueCode } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { aTemplate, aVersion } from '#tests/helpers/templates'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService } from '#tests/world/service'

/** Small bodies that would take minutes or all memory. */
const TOO_COMPLEX = {
  'sibling combinators': `<style>b~i~i~i~i~i{color:red}</style>${'<i>x</i>'.repeat(500)}`,
  'large rules on many elements': `<style>*{background:url(${'x'.repeat(30_000)})}</style>${'<b></b>'.repeat(4_000)}`,
  'nested negations': `<style>${':not('.repeat(5_000)}b${')'.repeat(5_000)}{color:red}</style>${'<b>x</b>'.repeat(100)}`,
  'formatting elements that every paragraph repeats': `${Array.from({ length: 2_500 }, (_, index) => `<b id=${index}>`).join('')}${'<p>x</p>'.repeat(3_000)}`,
  'many declarations': `<style>p{${'color:red !important;'.repeat(2_500)}}</style>${'<p>'.repeat(3_000)}`,
}

/** Texts of 2,000 characters that used to block a parser for four seconds. */
const FORMERLY_CUBIC = [
  `<a ${'a'.repeat(30_000)}${"'".repeat(30_000)}>`,
  `<a ${'a '.repeat(15_000)}${'"'.repeat(30_000)}>`,
  `${'<!--[if mso]><a x="-->'.repeat(40_000)}`,
  `${'<title></titl'.repeat(60_000)}`,
  `<p>${'<!--'.repeat(200_000)}`,
  `<a href="${'&#'.repeat(300_000)}">`,
]

const versionPath = ({ id }: { id: number }) =>
  `/api/admin/notifications/templates/${id}/locales/en`

async function aTemplateOfOurs() {
  return aTemplate(await anApplication(), { code: 'generic' })
}

function savingInto(client: ApiClient, template: { id: number }) {
  const admin = superAdmin(client)
  return (bodyTemplate: string) =>
    admin.put(versionPath(template), { subjectTemplate: 'Hello', bodyTemplate })
}

test.group('Templates that are too complex', (group) => {
  group.each.timeout(120_000)

  test('{$self}: 400 TEMPLATE_TOO_COMPLEX, and nothing is stored')
    .with(Object.keys(TOO_COMPLEX) as (keyof typeof TOO_COMPLEX)[])
    .run(async ({ client, assert }, title) => {
      const template = await aTemplateOfOurs()
      const response = await savingInto(client, template)(TOO_COMPLEX[title])
      response.assertProblem(400, 'TEMPLATE_TOO_COMPLEX', { field: 'bodyTemplate' })
      assert.isNull(await TemplateVersion.findBy({ notificationTemplateId: template.id }))
    })

  test('a server with the internal key gets the same response', async ({ client }) => {
    const { id } = await aTemplateOfOurs()
    const response = await client
      .put(`/api/internal/notifications/templates/${id}/locales/en`)
      .headers(await credentials('internal'))
      .json({ subjectTemplate: 'Hello', bodyTemplate: TOO_COMPLEX['sibling combinators'] })
    response.assertProblem(400, 'TEMPLATE_TOO_COMPLEX', { field: 'bodyTemplate' })
  })
})

test.group('Templates with active content', () => {
  test('are refused with the line: {$self}')
    .with([
      '<svg><a><animate attributeName="href" values="javascript:alert(1)"/></a></svg>',
      '<svg><a><set attributeName="href" to="{{url}}"/></a></svg>',
      '<!--[if mso]><a href="javascript:alert(1)">x</a><![endif]-->',
      '<!--[if mso]><a href={{url}}>x</a><![endif]-->',
      '<iframe src="https://x.example"></iframe>',
      '<img src="x" onerror="alert(1)">',
      '<select><style>@media all{a{background:url("</select><img src=x onerror=alert(1)>")}}</style></select>',
      '<select><option><style>@media all{p::after{content:"<script>alert(1)</script>"}}</style></select>',
      '<table><tr><td><select><style>@media all{a{b:"</td><i>"}}</style></select></table>',
      '<svg><style><img src=x onerror=alert(1)></style></svg>',
      '<p style="width:e\\78pression(alert(1))">',
      '<p style="width:exp/**/ression(alert(1))">',
      '<style>p{behavior:url(x.htc)}</style>',
    ])
    .run(async ({ client }, source) => {
      const response = await savingInto(client, await aTemplateOfOurs())(`<p>\n${source}`)
      response.assertProblem(400, 'TEMPLATE_SYNTAX', { line: 2, field: 'bodyTemplate' })
    })

  test('cannot come from values: a link in a conditional comment keeps its scheme', async ({
    client,
    assert,
  }) => {
    const template = await aTemplateOfOurs()
    const body = '<!--[if mso]><v:rect href="{{url}}"></v:rect><![endif]--><a href="{{url}}">x</a>'
    const saved = await savingInto(client, template)(body)
    saved.assertStatus(200)
    const path = `${versionPath(template)}/preview`
    const response = await superAdmin(client).post(path, { data: { url: 'javascript:alert(1)' } })
    assert.include(response.body().data.html, '<v:rect href=""></v:rect>')
    assert.notInclude(response.body().data.html, 'javascript:')
  })
})

test.group('Templates that are too complex, in production', (group) => {
  let service: RunningService

  group.each.timeout(120_000)
  group.each.setup(async () => {
    service = await startProductionService()
    return async () => void (await service.stop())
  })

  async function ask(method: string, path: string, body: object) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...(await credentials('token')), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as { data?: { id: number } } }
  }

  /** Resolves once the service has started to process the hostile body. */
  async function saveHostile() {
    const code = uniqueCode('shop')
    await ask('POST', '/api/applications', { code, name: 'Shop' })
    const templates = `/api/admin/notifications/types/${code}/generic/templates`
    const { body } = await ask('POST', templates, { key: 'main', name: 'Main' })
    const bodyTemplate = TOO_COMPLEX['sibling combinators']
    const texts = { subjectTemplate: 'Hello', bodyTemplate }
    return ask('PUT', versionPath(body.data!), texts)
  }

  test('do not delay others', async ({ assert }) => {
    let isSaving = true
    const saving = saveHostile().finally(() => (isSaving = false))
    let served = 0
    while (isSaving) {
      const response = await fetch(`${service.url}/api/health/live`)
      assert.equal(response.status, 200)
      await response.text()
      served++
    }
    assert.containsSubset(await saving, { status: 400, body: { code: 'TEMPLATE_TOO_COMPLEX' } })
    // If the process had been blocked, it would have served hardly any requests.
    assert.isAbove(served, 20)
  })

  test('do not prevent the service from stopping', async ({ assert }) => {
    const saving = saveHostile().catch(() => null)
    await fetch(`${service.url}/api/health/live`)
    assert.equal(await service.stop(), 0)
    await saving
  })
})

test.group('Stored hostile versions', () => {
  /** As an earlier version could have stored it. */
  async function aStoredVersion(inlinedBody: string) {
    const template = await aTemplateOfOurs()
    const version = await aVersion(template, 'en')
    await version.merge({ inlinedBody }).save()
    return template
  }

  test('are previewed without delay: {$self}')
    .with(FORMERLY_CUBIC.map((_, index) => index))
    .run(async ({ client, assert }, index) => {
      const body = FORMERLY_CUBIC[index]
      const template = await aStoredVersion(body)
      const before = process.threadCpuUsage()
      const response = await superAdmin(client).post(`${versionPath(template)}/preview`, {
        data: {},
      })
      const { user } = process.threadCpuUsage(before)
      assert.include([200, 400], response.status())
      // 5 µs per character: 200 times the usual time.
      assert.isBelow(user, 200_000 + 5 * body.length)
    })

  test('are refused if they are too large with any data', async ({ client }) => {
    const template = await aStoredVersion('x'.repeat(3_000_000))
    const response = await superAdmin(client).post(`${versionPath(template)}/preview`, { data: {} })
    response.assertProblem(400, 'RENDERED_TOO_LARGE')
  })
})

test.group('Hostile data', () => {
  test('takes no longer in ten thousand places than in one', async ({ assert }) => {
    const application = await anApplication()
    const { id } = await aTemplate(application, { code: 'generic' })
    await aVersion({ id }, 'en', {
      subjectTemplate: '{{x}}',
      bodyTemplate: `<p style="color:${'{{x}}'.repeat(3_000)}"><a href="{{x}}">${'{{x}}'.repeat(3_000)}</a></p>`,
    })
    const template = await NotificationTemplate.withId(id)
    const recipient = { email: 'ada@tests.example', name: 'Ada', brand: await Brand.default() }
    // These disappear from styles, links and subjects, so no length limit applies.
    for (const unit of ['<', '\u0000', '\n', 'javascript:', ' ']) {
      const data = { x: unit.repeat(1_000_000 / unit.length) }
      const composing = () =>
        composeMessage({ application, template, data, locale: 'en', recipient }).catch(() => null)
      const before = process.threadCpuUsage()
      await composing()
      const { user } = process.threadCpuUsage(before)
      assert.isBelow(user, 3_000_000, JSON.stringify(unit))
    }
  })
})
