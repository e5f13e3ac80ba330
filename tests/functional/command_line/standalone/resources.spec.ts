import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge resources', () => {
  test('an administrator fills the catalog, finds resources in it and deletes some', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const { code } = application
    await manageApplication(client, code).entity({ code: 'order' })
    const env = await operator(await anAdministratorOf(application))
    const run = (args: string[], input = '') => machine.run(['resources', ...args], { env, input })
    const json = async (args: string[], input?: string) => {
      const { code: exit, stdout, stderr } = await run([...args, '-o', 'json'], input)
      if (exit !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    }

    const set = ['set', code, 'order', '42']
    const properties = ['--properties', '{"status": "open"}']
    const counts = { created: 0, updated: 0, unchanged: 0 }
    assert.deepEqual(await json([...set, '--label', 'Order 42', ...properties]), {
      ...counts,
      created: 1,
    })
    assert.deepEqual(await json([...set, '--label', '']), { ...counts, updated: 1 })
    const [first] = await json(['list', code, 'order'])
    assert.deepInclude(first, { resourceId: '42', label: null, properties: { status: 'open' } })

    const file = join(machine.folder, 'orders.json')
    const many = Array.from({ length: 1_500 }, (_, index) => ({ resourceId: `n-${index}` }))
    writeFileSync(file, JSON.stringify({ resources: many }))
    const imported = await json(['import', code, 'order', file])
    assert.deepEqual(imported, { ...counts, created: 1_500 })
    const yaml = '- resourceId: "42"\n  label: Back again\n- resourceId: n-7\n'
    assert.deepEqual(await json(['import', code, 'order', '-'], yaml), {
      ...counts,
      updated: 1,
      unchanged: 1,
    })
    assert.lengthOf(await json(['list', code, 'order', '--all']), 1_501)
    assert.lengthOf(await json(['list', code, 'order', '--search', 'AGAIN']), 1)

    const deletion = ['delete', code, 'order', '42', 'n-0']
    assert.equal((await run(deletion)).code, 64, 'it asks first')
    assert.deepEqual(await json([...deletion, '--yes']), { deleted: 2 })

    const wrong = await run([...set, '--properties', '[]'])
    assert.equal(wrong.code, 64)
    assert.include(wrong.stderr, 'It must be a JSON object.')
    const unlisted = await run(['import', code, 'order', '-'], '{"a": 1}')
    assert.equal(unlisted.code, 64)
    const missing = await run(['list', code, 'invoice'])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /^error: ENTITY_NOT_FOUND: /)
    const refused = await run(['import', code, 'order', '-'], '[{"label": "No id"}]')
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'resourceId')
  }).timeout(120_000)
})
