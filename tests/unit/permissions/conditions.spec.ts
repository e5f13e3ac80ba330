import { test } from '@japa/runner'
import { evaluateCondition, requireValidCondition } from '#app/permissions/conditions/condition'
import type {
  ConditionVariables,
  JsonObject,
} from '#app/permissions/conditions/condition_variables'
import { ConditionInvalid } from '#app/permissions/exceptions'

interface Given {
  subject?: JsonObject
  resource?: JsonObject
  action?: JsonObject
  context?: JsonObject
  now?: Date
}

function variables({ subject, resource, action, context, now }: Given = {}): ConditionVariables {
  return {
    subject: { id: '7', email: 'ada@x.example', properties: subject ?? {} },
    resource: { type: 'record', id: 'r-1', properties: resource ?? {} },
    action: { name: 'read', properties: action ?? {} },
    context: context ?? {},
    now: now ?? new Date('2026-07-01T12:30:15.250Z'),
  }
}

const evaluate = (text: string, given?: Given) => evaluateCondition(text, variables(given))

function refusalOf(text: string, { orValid = false } = {}) {
  try {
    requireValidCondition(text, 'permissions.3.condition')
    if (orValid) return undefined
  } catch (error) {
    if (error instanceof ConditionInvalid) return error.details
    throw error
  }
  throw new Error(`Not refused: ${text}`)
}

test.group('Conditions', () => {
  const record: Given = {
    subject: { role: 'editor', teams: ['a', 'b'] },
    resource: {
      'status': 'open',
      'n': 4,
      'half': 0.5,
      'none': null,
      'tags': ['x', 'y'],
      'owner': { id: 'ada' },
      'members': [{ name: 'ada', level: 3 }, { name: 'bob' }],
      'has-dash': true,
    },
    action: { soft: true },
    context: { ip: '10.0.0.7', at: '2026-07-01T08:00:00Z' },
  }

  test('{0} is {1}')
    .with([
      ['true', true],
      ['resource.properties.status == "open" && resource.properties.n > 3', true],
      ["resource.properties.status in ['open', 'draft']", true],
      ["resource.properties['status'] == 'closed'", false],
      ["resource.properties['has-dash']", true],
      [
        'resource.properties.n == 4 && resource.properties.n == 4.0 && resource.properties.n < 5',
        true,
      ],
      ['int(resource.properties.n) + 1 == 5', true],
      ['resource.properties.half * 2.0 == 1.0', true],
      ['resource.properties.none == null', true],
      ['resource.properties.status != null', true],
      ['resource.properties.status == 3', false],
      ['resource.properties.status != 3', true],
      ['resource.properties.tags == ["x", "y"]', true],
      ['resource.properties.owner == {"id": "ada"}', true],
      ['{"id": "ada", "n": 1} == resource.properties.owner', false],
      ['{1: "a"}[1] == "a"', true],
      ['resource.properties.tags[1] == "y"', true],
      ['"y" in resource.properties.tags && "id" in resource.properties.owner', true],
      ['4 in [1, resource.properties.n]', true],
      ['{"a": 1} in [{"a": 1.0}]', true],
      ['subject.properties.teams.exists(t, t in ["b", "c"])', true],
      ['subject.properties.teams.all(t, t.startsWith("a"))', false],
      ['subject.properties.teams.exists_one(t, t == "a")', true],
      ['size(subject.properties.teams.filter(t, t != "a")) == 1', true],
      ['subject.properties.teams.map(t, t + "!").join("") == "a!b!"', true],
      ['resource.properties.members.exists(m, has(m.level) && m.level > 2)', true],
      ['resource.properties.owner.all(k, k == "id")', true],
      ['has(resource.properties.owner.id) && !has(resource.properties.owner.name)', true],
      ['has(subject.email) && subject.id == "7" && action.name == "read"', true],
      ['subject.email.endsWith("@x.example") && resource.type == "record"', true],
      ['action.properties.soft ? resource.id == "r-1" : false', true],
      ['resource.properties.missing == 1 || true', true],
      ['resource.properties.missing == 1 && false', false],
      ['context.ip.startsWith("10.")', true],
      [
        'now > timestamp("2026-07-01T00:00:00Z") && now < timestamp(context.at) + duration("5h")',
        true,
      ],
      ['now - timestamp(context.at) == duration("4h30m15.25s")', true],
      ['now.getHours() == 12 && now.getDayOfWeek() == 3', true],
      ['now.getHours("Europe/Berlin") == 14 && now.getMinutes("Asia/Kolkata") == 0', true],
      ['now.getMonth("UTC") == 6 && now.getDayOfYear("UTC") == 181', true],
      [
        'now.getDayOfMonth("UTC") == 0 && now.getDate("UTC") == 1 && now.getFullYear("UTC") == 2026',
        true,
      ],
      ['now.getSeconds("UTC") == 15 && now.getMilliseconds("UTC") == 250', true],
      ['subject.email.matches("^[a-z]+@x\\\\.example$")', true],
      ["matches(subject.email, r'^[a-z]+@y\\.example$')", false],
      ['subject.email.split("@")[1] == "x.example"', true],
      ['"A" + "b" == "Ab" && "Ab".lowerAscii() == "ab" && "ab".size() == 2', true],
      ['"Aſ\u212A".lowerAscii() == "aſ\u212A" && "aſß".upperAscii() == "Aſß"', true],
      ['type(resource.properties.status) == string', true],
      ['double("1.5") > 1.0 && int("3") == 3 && string(1) == "1" && bool("true")', true],
      ['now.getHours("Europe/Berlin") >= 8 // office hours\n && true', true],
    ] as [string, boolean][])
    .run(({ assert }, [text, value]) => {
      requireValidCondition(text, 'condition')
      assert.deepEqual(evaluate(text, record), { value })
    })

  test('{0} misses {1}')
    .with([
      ['resource.properties.status == "open"', 'resource.properties.status'],
      ['resource.properties["status"] == "open"', 'resource.properties.status'],
      ['resource.properties.owner.id == subject.id', 'resource.properties.owner'],
      ['context.ip == "x" || false', 'context.ip'],
      ['subject.properties.tags[0] == "x"', 'subject.properties.tags'],
      ['size(action.properties.list) > 0', 'action.properties.list'],
      ['has(context.a.b)', 'context.a'],
      ['[context].exists(c, c.ip == "x")', 'c.ip'],
      ['[1, 2][5] == 1', '[1, 2][5]'],
      ['context[subject.email] == 1', 'context[subject.email]'],
    ])
    .run(({ assert }, [text, missing]) => {
      requireValidCondition(text, 'condition')
      assert.deepEqual(evaluate(text), { missing })
    })

  test('{$self} fails with other types than it needs')
    .with([
      'resource.properties.status',
      'resource.properties.status > 3',
      'resource.properties.status && true',
      'resource.properties.status.exists(x, true)',
      '1 in resource.properties.status',
      'int(resource.properties.status) == 1',
      'now.getHours(resource.properties.status) == 1',
      'resource.properties.number.matches("a")',
      '1 / int(resource.properties.zero) == 1',
      'timestamp(resource.properties.status) < now',
      'duration(resource.properties.status) == duration("1s")',
    ])
    .run(({ assert }, text) => {
      requireValidCondition(text, 'condition')
      const result = evaluate(text, { resource: { status: 'open', number: 1, zero: 0 } })
      assert.properties(result, ['failed'])
      assert.notInclude((result as { failed: string }).failed, '\n')
    })

  test('{0}({1}) fails')
    .with([
      ['int', ''],
      ['int', ' 1'],
      ['int', '0b1'],
      ['int', '1.5'],
      ['int', 1e30],
      ['int', -1e30],
      ['uint', ''],
      ['uint', '-1'],
      ['uint', -1],
      ['uint', 1e30],
      ['duration', ''],
      ['duration', 'm'],
      ['duration', '-s'],
      ['duration', '.s'],
      ['duration', '1'],
      ['duration', '-99999999999999h'],
      ['duration', '99999999999999999999999ms'],
      ['timestamp', ''],
      ['timestamp', '2026-02-30T00:00:00Z'],
      ['timestamp', '2026-04-31T00:00:00Z'],
      ['timestamp', '2026-01-01T24:00:00Z'],
      ['timestamp', '2026-01-01'],
    ] as [string, unknown][])
    .run(({ assert }, [name, given]) => {
      const value = `${name}(resource.properties.given)`
      const text = `${value} == ${value}`
      requireValidCondition(text, 'condition')
      assert.properties(evaluate(text, { resource: { given } }), ['failed'])
    })

  test('{0}({1}) is {2}')
    .with([
      ['int', '-12', '-12'],
      ['int', '+12', '12'],
      ['int', 1.9, '1'],
      ['int', '9223372036854775807', '9223372036854775807'],
      ['uint', '12', '12u'],
      ['duration', '1h30m', 'duration("5400s")'],
      ['duration', '-1.5s', 'duration("-1500ms")'],
      ['timestamp', '2028-02-29T23:59:59.5+02:00', 'timestamp("2028-02-29T21:59:59.500Z")'],
    ] as [string, unknown, string][])
    .run(({ assert }, [name, given, value]) => {
      const text = `${name}(resource.properties.given) == ${value}`
      requireValidCondition(text, 'condition')
      assert.deepEqual(evaluate(text, { resource: { given } }), { value: true })
    })

  test('a stored text that no longer compiles fails', ({ assert }) => {
    assert.deepEqual(Object.keys(evaluate('resource.properties.')), ['failed'])
    assert.deepEqual(Object.keys(evaluate('')), ['failed'])
  })
})

test.group('Conditions that are refused', () => {
  test('{0}')
    .with([
      ['', 1, 1, 'A condition must not be empty'],
      ['  \n ', 1, 1, 'A condition must not be empty'],
      [`true${' '.repeat(1_000)}`, 1, 1, 'A condition has at most 1000 characters'],
      [
        'foo == 1',
        1,
        1,
        'Unknown variable: foo. There are subject, resource, action, context and now',
      ],
      ['true &&\n  subject.name == "x"', 2, 11, 'Unknown field: name'],
      ['has(subject.name)', 1, 13, 'Unknown field: name'],
      ['resource.propertys.a == 1', 1, 10, 'Unknown field: propertys'],
      ['subject.email', 1, 1, 'The condition must be true or false, but its type is string'],
      ['1 + 1', 1, 1, 'The condition must be true or false, but its type is int'],
      ['subject.email == ', 1, 18, 'Unexpected token: the end'],
      ['(true', 1, 6, 'Expected `)`, got the end'],
      ['subject.email == 1', 1, 1, 'These types do not go together: string == int'],
      ['eval("1")', 1, 1, 'There is no function eval'],
      ['subject.email.json()', 1, 1, 'There is no function json'],
      ['cel.bind(x, 1, x == 1)', 1, 1, 'There is no function bind'],
      ['b"x".hex() == ""', 1, 1, 'There is no function hex'],
      [
        'subject.email.matches("(")',
        1,
        23,
        'The pattern is not a regular expression of RE2: missing closing ): `(`',
      ],
      [
        'subject.email.matches("(?=a)")',
        1,
        23,
        'The pattern is not a regular expression of RE2: invalid or unsupported Perl syntax: `(?=`',
      ],
      [
        'subject.email.matches(context.p)',
        1,
        23,
        'The pattern of matches() must be a text, not an expression',
      ],
      [
        `subject.email.matches("${'a'.repeat(201)}")`,
        1,
        23,
        'A pattern has at most 200 characters',
      ],
      ['subject.email.matches("(a{99}){99}b{99}")', 1, 23, 'The pattern repeats too much'],
      [`subject.email.matches("a{600}")`, 1, 23, 'The pattern is too complex'],
      [
        [1, 2, 3].map((n) => `subject.email.matches("a{40${n}}")`).join(' || '),
        1,
        93,
        'The condition costs too much to evaluate',
      ],
      ['now.getHours("Mars/Base") == 1', 1, 14, 'There is no time zone Mars/Base'],
      ['has(true)', 1, 5, 'has() takes a field, such as has(a.b)'],
      [
        `${'('.repeat(30)}true${')'.repeat(30)}`,
        1,
        25,
        'The condition is too long or too deeply nested',
      ],
    ] as [string, number, number, string][])
    .run(({ assert }, [text, line, column, reason]) => {
      const place = { line, column, reason }
      assert.deepEqual(refusalOf(text), { field: 'permissions.3.condition', ...place })
    })

  test('any prefix of a condition is either valid or refused with a place in it', ({ assert }) => {
    const text =
      "resource.properties['a'].exists(x, x.matches(r'^\\d{2}$') ? has(x.y) : [1, {2: 3}] == b'a')"
    for (let length = 1; length < text.length; length++) {
      const details = refusalOf(text.slice(0, length), { orValid: true })
      if (!details) continue
      const { line, column, reason } = details as { line: number; column: number; reason: string }
      assert.equal(line, 1)
      assert.isAtMost(column, length + 1)
      assert.notInclude(reason, '\n')
      assert.match(reason, /^[A-Z]/)
    }
  })
})
