import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import AuditEntry from '#app/audit/models/audit_entry'
import ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'
import { runRecorded } from '#app/identity_provider/reconciliation/recorded_run'
import { newRunSummary } from '#app/identity_provider/reconciliation/reconciliation'
import { eventually } from '#tests/helpers/eventually'
import { TIMESTAMP } from '#tests/helpers/management'
import { superAdmin } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { aPerson, reconcile, userRecordOf } from '#tests/helpers/reconciliation'
import type { IdentityApi } from '#tests/world/identity_api'
import { startProviderService } from '#tests/world/provider_service'
import type { RunningService } from '#tests/world/service'

const PATH = '/api/idp/admin/reconciliations'
const NONE = { recorded: 0, deactivated: 0, reactivated: 0, renamed: 0, identified: 0, moved: 0 }

let api: IdentityApi
let service: RunningService
/** Every stand-in has the same ids, unlike the tests' records. */
let orgId: string

const start = (client: ApiClient, body: object = { orgId }) =>
  superAdmin(client).post(`${service.url}${PATH}`, body)
const list = (client: ApiClient, query = '') =>
  superAdmin(client).get(`${service.url}${PATH}${query}`)

/** The run, once it has ended. */
async function ended(client: ApiClient, id: number) {
  let run: Record<string, unknown> = {}
  await eventually('the run has ended', async () => {
    const { data } = (await list(client)).body()
    run = data.find((one: { id: number }) => one.id === id)
    return run.endedAt !== null
  })
  return run
}

const aRun = (fields: Partial<ReconciliationRecord>) =>
  ReconciliationRecord.create({ trigger: 'schedule', dryRun: false, changes: {}, ...fields })

test.group('The history of reconciliations', (group) => {
  group.setup(async () => {
    const started = await startProviderService({ QUEUE_IN_SERVICE: 'true' })
    ;({ api, service } = started)
    return started.stop
  })
  group.each.setup(async () => {
    orgId = uniqueId()
    await ReconciliationRecord.query().delete()
    return async () => void (await ReconciliationRecord.query().delete())
  })

  test('has what each run changed, or would change', async ({ assert, client }) => {
    const { email } = await aPerson(api, { userId: uniqueId(), orgId, state: 'INACTIVE' })
    const requested = await start(client, { orgId, dryRun: true })
    requested.assertStatus(202)
    const { data } = requested.body()
    assert.containSubset(data, { trigger: 'panel', dryRun: true, orgId, error: null })
    const rehearsal = await ended(client, data.id)
    const found = { read: 1, changes: { ...NONE, deactivated: 1 } }
    assert.containSubset(rehearsal, { status: 'succeeded', dryRun: true, ...found })
    assert.isTrue((await userRecordOf(email)).active)

    const { id } = (await start(client)).body().data
    const run = await ended(client, id)
    assert.containSubset(run, { status: 'succeeded', dryRun: false, error: null, ...found })
    for (const name of ['createdAt', 'startedAt', 'endedAt']) {
      assert.match(String(run[name]), TIMESTAMP)
    }
    assert.isFalse((await userRecordOf(email)).active)
    const entry = await AuditEntry.findByOrFail({
      action: 'reconciliation.requested',
      targetId: String(id),
    })
    assert.equal(entry.actorKind, 'user')

    const first = await list(client, '?limit=1')
    assert.deepEqual(
      first.body().data.map((one: { id: number }) => one.id),
      [id]
    )
    const next = /<([^>]+)>; rel="next"/.exec(first.header('link') ?? '')![1]
    const second = await superAdmin(client).get(`${service.url}${next}`)
    assert.equal(second.body().data[0].id, data.id)
  })

  test('has the runs of the command, and why a run failed', async ({ assert, client }) => {
    await reconcile(api, { args: [`--org=${orgId}`] })
    const [command] = (await list(client)).body().data
    assert.containSubset(command, { trigger: 'command', orgId, status: 'succeeded' })
    api.refusal = { status: 400, code: 3, message: 'Errors.Invalid' }
    const { id } = (await start(client)).body().data
    const failed = await ended(client, id)
    api.refusal = undefined
    assert.containSubset(failed, { status: 'failed', error: 'IDENTITY_PROVIDER_REFUSED' })
  })

  test('has one run at a time, and says which have lost their process', async ({
    assert,
    client,
  }) => {
    const now = DateTime.utc()
    const run = await aRun({ status: 'running', startedAt: now, seenAt: now })
    const meanwhile = await start(client)
    meanwhile.assertProblem(409, 'ALREADY_AT_WORK')
    await run.merge({ seenAt: now.minus({ minutes: 2 }) }).save()
    const [lost] = (await list(client)).body().data
    assert.equal(lost.status, 'interrupted')
    const responses = await Promise.all([start(client), start(client), start(client)])
    const accepted = responses.filter((response) => response.status() === 202)
    assert.isAtLeast(accepted.length, 1)
    for (const response of responses) assert.include([202, 409], response.status())
    for (const response of accepted) await ended(client, response.body().data.id)
  })

  test('calls a run interrupted whose process shut down', async ({ assert, client }) => {
    const run = await aRun({ status: 'running', startedAt: DateTime.utc(), seenAt: DateTime.utc() })
    const stopping = AbortSignal.abort()
    await assert.rejects(() => runRecorded(run, { stopping }, newRunSummary()))
    const [stopped] = (await list(client)).body().data
    assert.containSubset(stopped, { status: 'interrupted', error: null })
  })

  test('cannot be added to without an account or with a wrong id', async ({ client }) => {
    const wrong = await start(client, { orgId: '../1' })
    wrong.assertProblem(400, 'VALIDATION_ERROR')
    const unset = await superAdmin(client).post(PATH, { orgId })
    unset.assertProblem(409, 'SERVICE_ACCOUNT_NOT_CONFIGURED')
  })
})
