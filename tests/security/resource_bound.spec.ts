import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { withoutTimeLimit } from '#core/database/statement_time_limit'
import { MAX_RESOURCES } from '#app/applications/actions/save_resources'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin } from '#tests/helpers/people'

const NOW = new Date().toISOString()

/** Without the checks of foreign keys, which take most of the time. */
async function fill(entityId: number, count: number) {
  await withoutTimeLimit(() =>
    db.transaction(async (trx) => {
      if (usesPostgres()) await trx.rawQuery('set local session_replication_role = replica')
      await trx.rawQuery(
        `insert into resources (entity_id, resource_id, created_at, updated_at, properties)
         with recursive numbers(n) as (
           select 1 union all select n + 1 from numbers where n < ${count}
         )
         select ${entityId}, cast(n as varchar(255)), '${NOW}', '${NOW}', '{}' from numbers`
      )
    })
  )
}

test.group('Resources of an entity', () => {
  test('have a limit, which concurrent requests cannot exceed', async ({ client, assert }) => {
    const application = await anApplication()
    const entity = await manageApplication(client, application.code).entity({ code: 'document' })
    const admin = superAdmin(client)
    const server = serverWith(client, (await aKeyOf(application)).text)
    const path = `/api/applications/${application.code}/entities/${entity.id}/resources`
    const internal = `/applications/${application.code}/entities/document/resources`
    await fill(entity.id, MAX_RESOURCES - 1)
    const body = (...ids: string[]) => ({
      resources: ids.map((resourceId) => ({ resourceId, label: 'Labelled' })),
    })
    const responses = await Promise.all([
      admin.put(path, body('1', 'x')),
      server.put(internal, body('2', 'y')),
      admin.put(path, body('3', 'z')),
    ])
    const refused = responses.filter((response) => response.status() !== 200)
    assert.lengthOf(refused, 2)
    for (const response of refused) {
      response.assertProblem(409, 'TOO_MANY_RESOURCES', { limit: MAX_RESOURCES })
    }
    const more = await server.put(internal, body('another'))
    more.assertProblem(409, 'TOO_MANY_RESOURCES', { limit: MAX_RESOURCES })
    const others = await admin.put(path, body('another'))
    others.assertProblem(409, 'TOO_MANY_RESOURCES')
    const known = await admin.put(path, body('4', '5'))
    known.assertStatus(200)
    const labelled = await admin.get(`${path}?search=labelled`)
    assert.lengthOf(labelled.body().data, 4)
    const deleted = await admin.post(`${path}/delete`, { resourceIds: ['1', '2'] })
    deleted.assertStatus(200)
    const again = await admin.put(path, body('another'))
    again.assertStatus(200)
    const preview = await admin.delete(`/api/applications/${application.code}?dryRun=true`)
    const kept = preview.body().data.deletes.find(({ kind }: any) => kind === 'resource')
    assert.equal(kept.count, MAX_RESOURCES - 1)
    assert.lengthOf(kept.names, 20)
    const gone = await admin.delete(`/api/applications/${application.code}/entities/${entity.id}`)
    gone.assertStatus(204)
  }).timeout(60_000)
})
