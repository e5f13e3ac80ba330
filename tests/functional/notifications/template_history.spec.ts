import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { MAX_REVISIONS, nextRevision } from '#app/notifications/actions/record_revision'
import TemplateRevision from '#app/notifications/models/template_revision'
import TemplateVersion from '#app/notifications/models/template_version'
import { templateRevisionResource } from '#app/notifications/transformers/template_revision_resource'
import CreateTemplateRevisions from '#database/migrations/1763700000510_create_template_revisions'
import { anotherService } from '#tests/helpers/internal'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { aTemplate, aVersion } from '#tests/helpers/templates'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const textsOf = (word: string) => ({ subjectTemplate: word, bodyTemplate: `<p>${word}</p>` })
const aDocument = async () => aTemplate(await anApplication(), { code: 'generic' })
const pathOf = ({ id }: { id: number }, root = 'admin') =>
  `/api/${root}/notifications/templates/${id}/locales/en`

test.group('History of a language version', () => {
  test('has a revision for each change, the newest first, with who saved it', async ({
    assert,
    client,
  }) => {
    const template = await aDocument()
    const [path, internal] = [pathOf(template), pathOf(template, 'internal')]
    const admin = superAdmin(client)
    for (const word of ['one', 'two', 'two']) await admin.put(path, textsOf(word))
    await aVersion(template, 'cs')
    const saved = await anotherService(client).put(internal, textsOf('three'))
    assert.equal(saved.body().data.revision, 3)
    const current = await admin.get(path)
    assert.equal(current.body().data.revision, 3)
    const history = await admin.get(`${path}/history?count=true`)
    history.assertStatus(200)
    history.assertHeader('x-total-count', '3')
    const byAdmin = { kind: 'user', email: admin.email, name: null }
    const savedAts = history.body().data.map(({ savedAt }: { savedAt: string }) => savedAt)
    assert.deepEqual(history.body(), {
      success: true,
      data: [
        ['three', 3, history.body().data[0].savedBy],
        ['two', 2, byAdmin],
        ['one', 1, byAdmin],
      ].map(([subjectTemplate, revision, savedBy], index) => ({
        revision,
        subjectTemplate,
        restoredFrom: null,
        savedBy,
        savedAt: savedAts[index],
        bodyLength: `<p>${subjectTemplate}</p>`.length,
      })),
    })
    assert.equal(history.body().data[0].savedBy.kind, 'server')
    assert.isNotEmpty(history.body().data[0].savedBy.name)
    const first = await admin.get(`${path}/history?limit=2`)
    const next = await admin.get(/<([^>]+)>; rel="next"/.exec(first.header('link')!)![1])
    assert.deepEqual([...first.body().data, ...next.body().data], history.body().data)
    assert.isUndefined(next.header('link'))
  })

  test('shows the texts of one revision', async ({ assert, client }) => {
    const template = await aDocument()
    for (const word of ['🎉', 'two']) await aVersion(template, 'en', textsOf(word))
    const one = await superAdmin(client).get(`${pathOf(template)}/history/1`)
    one.assertStatus(200)
    assert.containSubset(one.body().data, { revision: 1, ...textsOf('🎉'), bodyLength: 8 })
    const history = await superAdmin(client).get(`${pathOf(template)}/history`)
    assert.containSubset(history.body().data[1], { revision: 1, bodyLength: 8 })
    assert.equal(one.body().data.savedBy.kind, 'system')
    const unknown = await superAdmin(client).get(`${pathOf(template)}/history/3`)
    unknown.assertProblem(404, 'TEMPLATE_REVISION_NOT_FOUND')
    const bad = await superAdmin(client).get(`${pathOf(template)}/history/x`)
    bad.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('has what was saved before there was a history as revision 1', async ({ assert }) => {
    const template = await aDocument()
    for (const word of ['one', 'two']) await aVersion(template, 'en', textsOf(word))
    const { updatedAt } = await TemplateVersion.of(template.id, 'en')
    const trx = await db.transaction()
    try {
      await new CreateTemplateRevisions(trx, '', false).execDown()
      await new CreateTemplateRevisions(trx, '', false).execUp()
      const [old, ...others] = await TemplateRevision.ofVersion(template.id, 'en', trx)
      assert.isEmpty(others)
      assert.containSubset(templateRevisionResource(old), {
        revision: 1,
        ...textsOf('two'),
        restoredFrom: null,
        savedBy: null,
        savedAt: isoTimestamp(updatedAt),
      })
      assert.equal(await nextRevision(template.id, 'en', trx), 2)
    } finally {
      await trx.rollback()
    }
  })

  test('keeps the last 100 revisions', async ({ assert, client }) => {
    const template = await aDocument()
    const version = await aVersion(template, 'en', textsOf('one'))
    await version.merge({ revision: MAX_REVISIONS }).save()
    const [row] = await db.from('template_revisions').where('notification_template_id', template.id)
    const rows = Array.from({ length: MAX_REVISIONS - 1 }, (_, index) => {
      return { ...row, id: undefined, revision: index + 2 }
    })
    await db.table('template_revisions').multiInsert(rows.map(({ id, ...fields }) => fields))
    await aVersion(template, 'en', textsOf('two'))
    const history = await superAdmin(client).get(`${pathOf(template)}/history?limit=200`)
    const revisions = history.body().data.map((each: { revision: number }) => each.revision)
    assert.lengthOf(revisions, MAX_REVISIONS)
    assert.deepEqual([revisions[0], revisions.at(-1)], [MAX_REVISIONS + 1, 2])
  })

  test('numbers concurrent saves without gaps', async ({ assert }) => {
    const template = await aDocument()
    const words = ['a', 'b', 'c', 'd', 'e']
    const saved = await Promise.all(words.map((word) => aVersion(template, 'en', textsOf(word))))
    const numbers = saved.map(({ revision }) => revision).toSorted((a, b) => a - b)
    assert.deepEqual(numbers, [1, 2, 3, 4, 5])
    const last = saved.find(({ revision }) => revision === 5)!
    const stored = await TemplateVersion.of(template.id, 'en')
    assert.equal(stored.subjectTemplate, last.subjectTemplate)
  })
})

test.group('Restoring a revision', () => {
  test('makes a new one with the former texts, and an audit entry', async ({ assert, client }) => {
    const template = await aDocument()
    const path = pathOf(template)
    const admin = superAdmin(client)
    await admin.put(path, { ...textsOf('one'), bodyTemplate: '<p>{{typo}}</p>' })
    await admin.put(path, textsOf('two'))
    const restored = await admin.post(`${path}/restore`, { revision: 1 })
    restored.assertStatus(200)
    const { warnings, ...version } = restored.body().data
    assert.containSubset(version, { revision: 3, subjectTemplate: 'one', locale: 'en' })
    assert.deepEqual(
      warnings.map(({ code }: { code: string }) => code),
      ['UNKNOWN_VARIABLE']
    )
    const current = await admin.get(path)
    assert.deepEqual(current.body().data, version)
    assert.equal(restored.header('etag'), current.header('etag'))
    const history = await admin.get(`${path}/history`)
    assert.containSubset(history.body().data[0], { revision: 3, restoredFrom: 1 })
    const query = `action=template_version.restored&targetId=${template.id}`
    const audit = await admin.get(`/api/admin/audit?${query}`)
    assert.lengthOf(audit.body().data, 1)
    const [{ actor, before, after }] = audit.body().data
    assert.equal(actor.email, admin.email)
    assert.deepEqual(before, { en: textsOf('two') })
    assert.deepEqual(after, {
      en: { subjectTemplate: 'one', bodyTemplate: '<p>{{typo}}</p>' },
      restoredFrom: 1,
    })
    const again = await admin.post(`${path}/restore`, { revision: 1 })
    assert.equal(again.body().data.revision, 4, 'even if it has these texts already')
  })

  test('is refused if the version has changed since', async ({ assert, client }) => {
    const template = await aDocument()
    for (const word of ['one', 'two']) await aVersion(template, 'en', textsOf(word))
    const admin = superAdmin(client)
    const path = pathOf(template)
    const token = await issuer.token(SUPER_ADMIN)
    const read = await admin.get(path)
    await aVersion(template, 'en', textsOf('three'))
    const restore = (etag: string) =>
      client
        .post(`${path}/restore`)
        .bearerToken(token)
        .header('if-match', etag)
        .json({ revision: 1 })
    const stale = await restore(read.header('etag')!)
    stale.assertProblem(412, 'STALE')
    assert.equal(stale.body().details.current.revision, 3)
    const fresh = await restore(stale.header('etag')!)
    assert.equal(fresh.body().data.revision, 4)
  })

  test('brings back a deleted version', async ({ assert, client }) => {
    const template = await aDocument()
    const admin = superAdmin(client)
    const path = pathOf(template)
    for (const word of ['one', 'two']) await aVersion(template, 'en', textsOf(word))
    const deleted = await admin.delete(path)
    deleted.assertStatus(204)
    const history = await admin.get(`${path}/history`)
    assert.lengthOf(history.body().data, 2)
    const restored = await admin.post(`${path}/restore`, { revision: 2 })
    assert.containSubset(restored.body().data, { revision: 3, subjectTemplate: 'two' })
  })

  test('finds only revisions of this template and language', async ({ client }) => {
    const [template, other] = [await aDocument(), await aDocument()]
    await aVersion(template, 'en')
    for (const word of ['one', 'two']) await aVersion(other, 'en', textsOf(word))
    const admin = superAdmin(client)
    const restore = (path: string, revision: unknown) => admin.post(`${path}/restore`, { revision })
    const foreign = await restore(pathOf(template), 2)
    foreign.assertProblem(404, 'TEMPLATE_REVISION_NOT_FOUND')
    const unregistered = await restore(pathOf(template).replace('/en', '/xx'), 1)
    unregistered.assertProblem(404, 'LANGUAGE_NOT_FOUND')
    const unknown = await restore(pathOf({ id: 2_000_000_000 }), 1)
    unknown.assertProblem(404, 'TEMPLATE_NOT_FOUND')
    for (const revision of [0, -1, 1.5, '1', null, undefined]) {
      const bad = await restore(pathOf(other), revision)
      bad.assertProblem(400, 'VALIDATION_ERROR')
    }
  })
})
