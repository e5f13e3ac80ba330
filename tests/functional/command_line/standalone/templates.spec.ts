import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import TemplateVersion from '#app/notifications/models/template_version'
import { aMachine, operator } from '#tests/helpers/command_line'
import { anApplication } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

/** An application with texts in two languages, and their folder. */
async function aFolder() {
  const application = await anApplication()
  const type = await aType(application, { code: 'shipped' })
  const template = await aTemplate(application, type, { key: 'express/eu:1', name: 'Express' })
  await aVersion(template, 'en', { subjectTemplate: ' Sent ', bodyTemplate: '<p>Hello</p>\r\n' })
  await aVersion(template, 'cs', { bodyTemplate: '<p>Dobrý den</p>' })
  const machine = aMachine()
  const env = await operator()
  const folder = join(machine.folder, 'texts')
  const run = (...args: string[]) => machine.run(['templates', ...args, '-o', 'json'], { env })
  await run('pull', application.code, folder)
  const push = async (...args: string[]) => {
    const outcome = await run('push', application.code, folder, ...args)
    return { ...outcome, changes: outcome.stdout === '' ? [] : JSON.parse(outcome.stdout) }
  }
  return { application, template, folder, push, run }
}

const own = (folder: string, name = '') => join(folder, 'shipped', 'express%2Feu%3A1', name)

test.group('concierge templates', () => {
  test('pushing pulled texts changes nothing', async ({ assert }) => {
    const { folder, push } = await aFolder()
    assert.sameMembers(readdirSync(own(folder)), [
      'template.yaml',
      'en.subject.txt',
      'en.html',
      'cs.subject.txt',
      'cs.html',
    ])
    assert.containSubset(await push(), { code: 0, changes: [] })
  }).timeout(120_000)

  test('shows the changes and applies them only after confirmation', async ({ assert }) => {
    const { folder, push, template } = await aFolder()
    appendFileSync(own(folder, 'cs.html'), '<p>!</p>')
    const changes = [{ action: 'update', what: 'template shipped/express/eu:1 cs' }]
    assert.containSubset(await push('--dry-run'), { code: 0, changes })
    assert.containSubset(await push(), { code: 64, changes })
    assert.containSubset(await push('--yes'), { code: 0, changes })
    const versions = await TemplateVersion.findManyBy('notificationTemplateId', template.id)
    const texts = versions.map(({ bodyTemplate }) => bodyTemplate)
    assert.sameMembers(texts, ['<p>Hello</p>\r\n', '<p>Dobrý den</p><p>!</p>'])
    assert.deepEqual((await push()).changes, [])
  }).timeout(120_000)

  test('creates the template of digests before the type names it', async ({ assert }) => {
    const { folder, push } = await aFolder()
    cpSync(own(folder), join(folder, 'shipped', 'digest'), { recursive: true })
    const digest = { allowed: ['daily'], templateKey: 'digest' }
    appendFileSync(join(folder, 'shipped', 'type.yaml'), `digest: ${JSON.stringify(digest)}\n`)
    const { code, changes } = await push('--yes')
    assert.equal(code, 0)
    const last = { action: 'update', what: 'digests of type shipped' }
    assert.containSubset(changes.at(-1), last)
    assert.deepEqual((await push()).changes, [])
  }).timeout(120_000)

  test('pulls, pushes and previews sample data', async ({ assert }) => {
    const { application, folder, push, run, template } = await aFolder()
    const file = join(folder, 'shipped', 'samples.yaml')
    assert.isFalse(existsSync(file))
    writeFileSync(file, '- name: First order\n  data:\n    order: { number: A-17 }\n')
    const changes = [{ action: 'create', what: 'sample data of type shipped' }]
    assert.containSubset(await push('--yes'), { code: 0, changes })
    assert.deepEqual((await push()).changes, [])

    rmSync(file)
    assert.deepEqual((await push('--prune')).changes, [], 'it says nothing about them')
    await run('pull', application.code, folder)
    assert.include(readFileSync(file, 'utf8'), 'A-17')

    await aVersion(template, 'en', { subjectTemplate: '{{order.number}} for {{name}}' })
    const preview = (sample: string) =>
      run('preview', application.code, 'shipped', 'express/eu:1', 'en', ...['--sample', sample])
    assert.include((await preview('First order')).stdout, 'A-17 for')
    assert.include((await preview('first order')).stderr, 'has no sample data first order')
  }).timeout(120_000)

  test('deletes only with --prune', async ({ assert }) => {
    const { folder, push } = await aFolder()
    rmSync(own(folder, 'cs.html'))
    assert.deepEqual((await push('--yes')).changes, [])
    const changes = [{ action: 'delete', what: 'template shipped/express/eu:1 cs' }]
    assert.deepEqual((await push('--prune', '--yes')).changes, changes)
    assert.deepEqual((await push('--prune', '--yes')).changes, [])
  }).timeout(120_000)

  test('reports where a refused push stopped', async ({ assert }) => {
    const { folder, push } = await aFolder()
    writeFileSync(own(folder, 'en.html'), '{{#if}}')
    const { code, stderr } = await push('--yes')
    assert.equal(code, 1)
    assert.include(stderr, 'Stopped at: update template shipped/express/eu:1 en')
    assert.include(stderr, 'TEMPLATE_SYNTAX')
  }).timeout(120_000)

  test('previews a draft, and restores what a version said before', async ({ assert }) => {
    const { application, template, folder, push, run } = await aFolder()
    writeFileSync(own(folder, 'en.html'), '<p>{{typo}}</p>')
    const pushed = await push('--yes')
    assert.include(pushed.stderr, 'line 1: {{typo}} is neither declared')
    const place = [application.code, 'shipped', 'express/eu:1', 'en']
    const draft = own(folder, 'cs.html')
    const preview = await run('preview', ...place, '--subject', 'Draft', '--body-file', draft)
    assert.containSubset(JSON.parse(preview.stdout), { subject: 'Draft', warnings: [] })
    const history = await run('history', ...place)
    assert.containSubset(JSON.parse(history.stdout), [{ revision: 2 }, { revision: 1 }])
    const one = await run('history', ...place, '--revision', '1')
    assert.containSubset(JSON.parse(one.stdout), { bodyTemplate: '<p>Hello</p>\r\n' })
    assert.equal((await run('restore', ...place, '1')).code, 64, 'it asks')
    const restored = await run('restore', ...place, '1', '--yes')
    assert.include(restored.stderr, 'Saved as revision 3')
    const version = await TemplateVersion.of(template.id, 'en')
    assert.equal(version.bodyTemplate, '<p>Hello</p>\r\n')
  }).timeout(120_000)

  test('never writes outside the folder', async ({ assert, cleanup }) => {
    const type = { id: 1, code: '../../outside', name: 'x', description: null }
    const world = await new TestHttpServer((request, response) => {
      const isTypes = request.url?.includes('/types/')
      sendJson(response, { success: true, data: isTypes ? [type] : [] })
    }).start()
    cleanup(() => world.stop())
    const machine = aMachine()
    const folder = join(machine.folder, 'deep/texts')
    const { code } = await machine.run(['templates', 'pull', 'shop', folder, '--url', world.url])
    assert.equal(code, 64)
    assert.isEmpty(readdirSync(machine.folder))
  }).timeout(120_000)
})
