import { once } from 'node:events'
import { test } from '@japa/runner'
import AuditEntry from '#app/audit/models/audit_entry'
import { verifyChain } from '#app/audit/actions/verify_chain'
import Role from '#app/permissions/models/role'
import { startAce } from '#tests/helpers/ace'
import { addEntries, emptyChain, sealAll } from '#tests/helpers/audit_chain'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, uniqueCode } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { startService } from '#tests/world/service'

const WRITERS = 4

test.group('A killed process', (group) => {
  group.each.setup(emptyChain)

  test('that did not seal loses no entry, and leaves none without its change', async ({
    assert,
    cleanup,
  }) => {
    const { code, id: applicationId } = await anApplication()
    // Without background work, nothing that it writes is sealed.
    const service = await startService({ ...sameDatabase(), QUEUE_IN_SERVICE: 'false' })
    cleanup(() => void service.stop())
    const authorization = `Bearer ${await issuer.token(SUPER_ADMIN)}`
    const created: string[] = []
    const write = async () => {
      const role = uniqueCode('role')
      const response = await fetch(`${service.url}/api/applications/${code}/roles`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ code: role }),
      })
      if (response.status === 201) created.push(role)
    }
    const writers = Array.from({ length: WRITERS }, async () => {
      for (;;) await write()
    })
    const ended = Promise.allSettled(writers)
    await eventually('some changes are stored', () => created.length >= 20, 60_000)
    service.process.kill('SIGKILL')
    await once(service.process, 'exit')
    await ended

    assert.isEmpty(await AuditEntry.query().whereNotNull('sequence'))
    await sealAll()
    const roles = (await Role.query().where({ applicationId })).map((role) => role.code)
    const entries = await AuditEntry.query().where({ applicationId, action: 'role.created' })
    const recorded = entries.map(({ targetLabel }) => targetLabel)
    assert.includeMembers(roles, created)
    assert.sameMembers(recorded, roles)
    const { last, fault } = await verifyChain()
    assert.isNull(fault)
    const { length } = await AuditEntry.query().select('id')
    assert.equal(last, length)
  }).timeout(120_000)

  test('that was sealing leaves a chain that another one continues', async ({
    assert,
    cleanup,
  }) => {
    await addEntries(3_000)
    const worker = startAce(['queue:work'])
    cleanup(() => void worker.child.kill('SIGKILL'))
    await eventually(
      'it has begun to seal',
      async () => (await AuditEntry.query().whereNotNull('sequence').first()) !== null,
      60_000
    )
    worker.child.kill('SIGKILL')
    await worker.finished
    await sealAll()
    // The worker may also have removed rights that ended in other tests.
    const { length } = await AuditEntry.query().select('id')
    assert.isAtLeast(length, 3_000)
    assert.deepEqual(await verifyChain(), { first: 1, last: length, fault: null })
  }).timeout(120_000)
})
