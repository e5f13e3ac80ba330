import fc from 'fast-check'
import { test } from '@japa/runner'
import { evaluateCondition, requireValidCondition } from '#app/permissions/conditions/condition'
import type {
  ConditionVariables,
  JsonObject,
} from '#app/permissions/conditions/condition_variables'
import { MAX_COST, spentCost } from '#app/permissions/conditions/cost'

function variables(resource: JsonObject, context: JsonObject = {}): ConditionVariables {
  return {
    subject: { id: '7', email: 'ada@x.example', properties: {} },
    resource: { type: 'record', id: 'r-1', properties: resource },
    action: { name: 'read', properties: {} },
    context,
    now: new Date('2026-07-01T12:00:00Z'),
  }
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index % 10)

/** As large as attributes can be. */
const large = variables(
  {
    list: numbers(8_000),
    strings: numbers(8_000).map(String),
    pairs: numbers(4_000).map((number) => [number]),
    records: numbers(1_000).map((n) => ({ n, tags: ['a'] })),
    map: Object.fromEntries(numbers(2_000).map((_, index) => [`key${index}`, 1])),
    zones: numbers(900).map((_, index) => `Zone/${index}`),
    text: 'a'.repeat(16_000),
    half: `${'a'.repeat(4_000)}b${'a'.repeat(3_999)}`,
  },
  { list: numbers(8_000), records: numbers(1_000).map((n) => ({ n, tags: ['a'] })) }
)

test.group('Cost of conditions', () => {
  test('{0} costs little')
    .with([
      ['resource.properties.status == "open" && resource.properties.n > 3', 10],
      ['subject.email in ["a@x.example", "ada@x.example"] || context.a.startsWith("b")', 100],
      ['now.getHours("UTC") >= 8 && now.getHours("UTC") < 18', 5_000],
      ['resource.properties.tags.exists(t, t in ["a", "b", "c"])', 300],
      ['subject.email.matches("^[a-z.]+@(x|y)\\\\.example$")', 2_000],
    ] as [string, number][])
    .run(({ assert }, [text, most]) => {
      requireValidCondition(text, 'condition')
      const given = variables({ status: 'open', n: 4, tags: ['b', 'd'] }, { a: 'b' })
      assert.deepEqual(evaluateCondition(text, given), { value: true })
      assert.isAtMost(spentCost(), most)
    })

  test('one quantifier over the longest list is within the limit', ({ assert }) => {
    const text = 'resource.properties.list.exists(x, x == 99)'
    assert.deepEqual(evaluateCondition(text, large), { value: false })
  })

  test('{$self} is stopped')
    .with([
      'R.list.all(x, R.list.all(y, x == y || true))',
      'R.list.exists(x, R.list.exists(y, R.list.exists(z, z.missing == 1)))',
      'R.list.exists(x, x.missing == 1)',
      'R.list.exists(x, x.a == 1 || x.b == 1 || x.c == 1 || x.d == 1 || x.e == 1)',
      'R.list.exists_one(x, R.list.all(y, true))',
      'R.list.exists(x, 11 in R.list)',
      'R.list.exists(x, R.list + R.list + R.list == [x])',
      'R.list.all(x, R.list == context.list)',
      'R.list.all(x, R.records == context.records)',
      'R.list.all(x, R.pairs.map(p, p[0]) != [x])',
      'R.list.map(x, R.list).map(x, x + x).exists(y, y == [1])',
      'R.list.map(x, R.list.filter(y, y > 3)) == []',
      '[R.list]DD == [context.list]DD',
      'R.text.split("").all(c, !R.text.contains("b"))',
      'R.text.split("").map(c, R.text).join(R.text) == ""',
      'R.strings.map(c, R.text).join() == ""',
      'R.text.contains(R.half)',
      'R.text.lastIndexOf(R.half) == 3',
      'R.text.split(R.half) == []',
      'SS == "a"',
      'R.list.all(x, R.text <= R.text + "b")',
      'R.list.all(x, R.text.size() > 1)',
      'R.list.all(x, size(R.map) > 1)',
      'R.list.all(x, R.map.all(k, true))',
      'R.list.all(x, dyn(R.map) != {"a": x})',
      'R.list.all(x, now.getHours("Europe/Berlin") > -1)',
      'R.zones.all(z, now.getHours(z) > 100 || true)',
      'R.list.all(x, timestamp("2026-07-01T00:00:00Z") < now)',
      'R.list.all(x, duration("11111111111111111111111111111111") == duration("1s") || true)',
      'R.list.all(x, double(R.text) > 1.0 || true)',
      'R.list.exists(x, R.text.lowerAscii() == "")',
      'R.list.all(x, bytes(R.text) != b"")',
      'R.list.all(x, string(R.list) == "" || true)',
      'R.list.all(x, {"a": R.list, "b": R.list} == {"a": context.list, "b": context.list})',
      'R.text.matches("[ab]*a[ab]{300}[cd]")',
      'R.list.all(x, !R.text.matches("[xy]"))',
      'R.strings.all(x, x.matches("^([0-9]|a)*$") && x.matches("^([0-9]|b)*$"))',
    ])
    .run(({ assert }, short) => {
      const text = short
        .replaceAll('SS', `R.text${' + R.text'.repeat(20)}`)
        .replaceAll('DD', '.map(x, [x, x])'.repeat(12))
        .replaceAll('R.', 'resource.properties.')
      requireValidCondition(text, 'condition')
      const result = evaluateCondition(text, large)
      assert.deepEqual(result, { failed: 'The condition costs too much to evaluate' })
      assert.isAbove(spentCost(), MAX_COST)
    })
})

test.group('Conditions and prototypes', () => {
  const nothing = variables({})

  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

  test('{$self} has no field of a prototype')
    .with([
      'resource.properties',
      'context',
      'dyn(subject)',
      'dyn(now)',
      'dyn("text")',
      'dyn(1)',
      'dyn([1])',
      'dyn({"a": 1})',
      'dyn(duration("1s"))',
      'dyn(b"a")',
      'dyn(1u)',
      'dyn(true)',
      'google.protobuf',
      'dyn(null)',
      'dyn(string)',
    ])
    .run(({ assert }, value) => {
      for (const name of NAMES) {
        for (const text of [`${value}['${name}'] == 1`, `${value}[string('${name}')] != null`]) {
          assert.deepEqual(Object.keys(evaluateCondition(text, nothing)), ['missing'], text)
        }
        const text = `['${name}'].exists(k, k in ${value})`
        assert.notDeepEqual(evaluateCondition(text, nothing), { value: true })
      }
    })

  test('an attribute {$self} can be read like any other')
    .with(NAMES)
    .run(({ assert }, key) => {
      const attributes = JSON.parse(`{"${key}": {"a": 1}, "b": [{"${key}": "c"}], "n": 4}`)
      const given = variables(attributes, JSON.parse(`{"${key}": "x", "list": [{"a": 1}]}`))
      const other = key === 'constructor' ? '__proto__' : 'constructor'
      for (const text of [
        'resource.properties.n > 3 && context.list.all(i, i.a == 1)',
        'size(resource.properties.b) == 1 && size(resource.properties) == 3',
        `resource.properties['${key}'] == {'a': 1} && '${key}' in resource.properties`,
        `resource.properties.b.exists(x, x['${key}'] == 'c')`,
        `resource.properties.b == [{'${key}': 'c'}] && resource.properties.b != [{'a': 'c'}]`,
        `resource.properties['${key}'].all(k, k == 'a') && context['${key}'].startsWith('x')`,
        `!('${other}' in resource.properties)`,
      ]) {
        requireValidCondition(text, 'condition')
        assert.deepEqual(evaluateCondition(text, given), { value: true }, text)
      }
    })

  test('maps are equal by their own keys only', ({ assert }) => {
    const given = variables(JSON.parse('{"a": {"__proto__": {}}, "b": {"x": 1}}'), { x: {} })
    for (const text of [
      'resource.properties.a == resource.properties.b',
      'resource.properties.b == resource.properties.a',
      "{'__proto__': {}} == resource.properties.b",
      "resource.properties.b == {'toString': 1}",
    ]) {
      assert.deepEqual(evaluateCondition(text, given), { value: false }, text)
    }
  })

  test('methods and fields of timestamps cannot be reached', ({ assert }) => {
    for (const text of ['now.getTime == 1', 'now.__proto__ != null', 'has(now.constructor)']) {
      assert.notDeepEqual(evaluateCondition(text, nothing), { value: true }, text)
    }
  })
})

test.group('Random conditions', () => {
  const leaf = fc.constantFrom(
    ...['1', '2.5', '"a"', 'true', 'null', '[]', 'resource.properties.a', 'context.b', 'now', 'x'],
    ...[
      'subject.email',
      'resource.properties',
      '{"a": 1}',
      'b"a"',
      '3u',
      'duration("1s")',
      'string',
    ]
  )
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('==', '!=', '<', '>=', '+', '-', '*', '/', '%', 'in', '&&', '||'),
          tie('expression')
        )
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('all', 'exists', 'exists_one', 'filter', 'map'),
          tie('expression')
        )
        .map(([list, macro, step]) => `dyn(${list}).${macro}(x, ${step})`),
      fc
        .tuple(
          fc.constantFrom('size', 'dyn', 'string', 'int', 'type', 'bool', '!', '-', 'timestamp'),
          tie('expression')
        )
        .map(([name, operand]) => `${name}(dyn(${operand}))`),
      fc
        .tuple(tie('expression'), fc.constantFrom('split', 'contains', 'join', 'getHours', 'trim'))
        .map(([operand, name]) => `dyn(${operand}).${name}(${name === 'trim' ? '' : '"a"'})`),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([container, key]) => `dyn(${container})[${key}]`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, {"k": ${b}}]`)
    ),
  }))
  const attributes = fc.dictionary(
    fc.constantFrom('a', 'b', 'constructor', '__proto__', 'x'),
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>
  )

  test('never throw and never exceed the limit', ({ assert }) => {
    let evaluated = 0
    fc.assert(
      fc.property(expression, attributes, attributes, (text, resource, context) => {
        const result = evaluateCondition(`dyn(${text})`, variables(resource, context))
        const again = evaluateCondition(`dyn(${text})`, variables(resource, context))
        if (spentCost() > 0) evaluated++
        assert.deepEqual(result, again)
        assert.lengthOf(Object.keys(result), 1)
      }),
      { numRuns: 500 }
    )
    assert.isAbove(evaluated, 100)
  })

  test('never throw for random text', () => {
    const anything = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(anything, (text) => {
        evaluateCondition(text, variables({}))
      }),
      { numRuns: 500 }
    )
  })
})
