import { test } from '@japa/runner'
import { type Answer, aDecisionPoint, ask } from '#tests/helpers/authzen'

const decisionsOf = ({ json }: Answer): boolean[] =>
  json.evaluations.map(({ decision }: { decision: boolean }) => decision)

const READ = { action: { name: 'read' } }
const FLY = { action: { name: 'fly' } }
const BROKEN = { action: { name: 7 } }

test.group('Access evaluations', () => {
  test('end as their semantic says: {semantic} with {name}')
    .with([
      { semantic: undefined, name: 'both', items: [READ, FLY, READ], expected: [1, 0, 1] },
      { semantic: null, name: 'both', items: [READ, FLY, READ], expected: [1, 0, 1] },
      { semantic: 'execute_all', name: 'both', items: [READ, FLY, READ], expected: [1, 0, 1] },
      { semantic: 'execute_all', name: 'an error', items: [BROKEN, READ], expected: [0, 1] },
      { semantic: 'deny_on_first_deny', name: 'both', items: [READ, FLY, READ], expected: [1, 0] },
      { semantic: 'deny_on_first_deny', name: 'an error', items: [BROKEN, READ], expected: [0] },
      { semantic: 'deny_on_first_deny', name: 'permits', items: [READ, READ], expected: [1, 1] },
      {
        semantic: 'permit_on_first_permit',
        name: 'both',
        items: [FLY, READ, FLY],
        expected: [0, 1],
      },
      {
        semantic: 'permit_on_first_permit',
        name: 'an error',
        items: [BROKEN, READ, READ],
        expected: [0, 1],
      },
      { semantic: 'permit_on_first_permit', name: 'denials', items: [FLY, FLY], expected: [0, 0] },
    ])
    .run(async ({ assert, client }, { semantic, items, expected }) => {
      const { code, request } = await aDecisionPoint(client)
      const options = { evaluations_semantic: semantic, another_option: 'value' }
      const answer = await ask(code, 'evaluations', { ...request, evaluations: items, options })
      assert.equal(answer.status, 200)
      assert.deepEqual(decisionsOf(answer), expected.map(Boolean))
    })

  test('end after the first of many, whatever their number', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    for (const place of [0, 19, 20, 57, 99]) {
      const evaluations = Array.from({ length: 100 }, (_, nth) => (nth === place ? FLY : READ))
      const options = { evaluations_semantic: 'deny_on_first_deny' }
      const answer = await ask(code, 'evaluations', { ...request, evaluations, options })
      assert.lengthOf(answer.json.evaluations, place + 1)
      assert.isFalse(decisionsOf(answer).pop())
    }
  })

  test('keep the order of the request, whatever their subjects and resources', async ({
    assert,
    client,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    const evaluations = Array.from({ length: 100 }, (_, nth) => ({
      ...(nth % 3 === 0 && { subject: { type: 'user', id: `nobody-${nth}@tests.example` } }),
      ...(nth % 5 === 0 && { resource: { type: nth % 2 ? 'record' : 'ship', id: String(nth) } }),
      ...(nth % 7 === 0 && FLY),
    }))
    const batch = await ask(code, 'evaluations', { ...request, evaluations })
    for (const [nth, item] of evaluations.entries()) {
      const alone = await ask(code, 'evaluation', { ...request, ...item })
      assert.deepEqual(batch.json.evaluations[nth], alone.json, String(nth))
    }
  })

  test('an invalid one fails for itself: {message}')
    .with([
      { item: 'text', message: 'An evaluation must be an object' },
      { item: null, message: 'An evaluation must be an object' },
      { item: { resource: { type: '' } }, message: 'resource.type must not be empty' },
      { item: { action: [] }, message: 'action must be an object' },
      { item: { context: 5 }, message: 'context must be an object' },
      {
        item: { subject: { id: 'x'.repeat(256) } },
        message: 'subject.id must have at most 255 characters',
      },
      {
        item: { context: { text: 'x'.repeat(16_384) } },
        message: 'properties must have at most 16384 bytes together with the context',
      },
    ])
    .run(async ({ assert, client }, { item, message }) => {
      const { code, request } = await aDecisionPoint(client)
      const { json } = await ask(code, 'evaluations', { ...request, evaluations: [item, {}] })
      assert.deepEqual(json.evaluations[0], {
        decision: false,
        context: { error: { status: 400, message } },
      })
      assert.isTrue(json.evaluations[1].decision)
    })

  test('a default that is missing fails the items without their own', async ({
    assert,
    client,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    const evaluations = [{ subject: request.subject }, {}]
    const answer = await ask(code, 'evaluations', { ...request, subject: undefined, evaluations })
    assert.deepEqual(decisionsOf(answer), [true, false])
    assert.equal(answer.json.evaluations[1].context.error.message, 'subject is required')
  })

  test('a part of an item does not take the properties of the default', async ({
    assert,
    client,
  }) => {
    const { code, request, manage, read, role } = await aDecisionPoint(client)
    const condition = 'resource.properties.status == "open" && context.calm == true'
    await manage.rolePermissions(role.id, [
      { permissionId: read.id, accessLevel: 'allowed', condition },
    ])
    const answer = await ask(code, 'evaluations', {
      ...request,
      resource: { ...request.resource, properties: { status: 'open' } },
      context: { calm: true },
      evaluations: [
        {},
        { resource: request.resource },
        { resource: { properties: { status: 'open' } } },
        { context: {} },
        { context: { calm: true } },
      ],
    })
    assert.deepEqual(decisionsOf(answer), [true, false, true, false, true])
  })

  test('a request that is wrong as a whole is 400: {message}')
    .with([
      { body: { evaluations: {} }, message: 'evaluations must be an array' },
      {
        body: { evaluations: Array(101).fill({}) },
        message: 'evaluations must have at most 100 items',
      },
      {
        body: { evaluations: [{}], options: { evaluations_semantic: 'first' } },
        message:
          'options.evaluations_semantic must be one of execute_all, deny_on_first_deny, permit_on_first_permit',
      },
      { body: { evaluations: [{}], options: [] }, message: 'options must be an object' },
      { body: { evaluations: [{}], subject: 'alice' }, message: 'subject must be an object' },
      { body: { evaluations: [{}], action: { name: 5 } }, message: 'action.name must be a string' },
      { body: { evaluations: [{}], context: [] }, message: 'context must be an object' },
      { body: [], message: 'The body must be an object' },
    ])
    .run(async ({ assert, client }, { body, message }) => {
      const { code, request } = await aDecisionPoint(client)
      const whole = Array.isArray(body) ? body : { ...request, ...body }
      const answer = await ask(code, 'evaluations', whole)
      assert.equal(answer.status, 400)
      assert.equal(answer.text, `VALIDATION_ERROR: ${message}`)
    })
})
