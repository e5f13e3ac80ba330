import fc from 'fast-check'
import { test } from '@japa/runner'
import type { AccessScope } from '#core/events/access_changed'
import { CachedResolver } from '#app/checks/resolvers/cached_resolver'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import {
  CACHE_CAPACITY,
  CACHE_TTL_MS,
  PLACES_PER_PERSON,
} from '#app/checks/resolvers/decision_store'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'
import { type Decision, NOTHING_GRANTS } from '#app/checks/values/decision'

const VIEW: Decision = { level: 'view', source: 'role', decidedBy: 5 }
const EDIT: Decision = { level: 'edit', source: 'role', decidedBy: 5 }
const ada = checkScope('ada@x.example', 'shop')
const bob = checkScope('bob@x.example', 'shop')

const permissionsNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`)

interface Asked {
  scope: CheckScope
  permissions: string[]
  /** Ends the evaluation. */
  answer: (decision?: Decision) => void
  fail: (error: Error) => void
}

/** A source that counts and that answers when the test says so, or at once. */
class CountingSource implements CheckResolver {
  readonly asked: Asked[] = []
  answersAtOnce: Decision | null = VIEW

  decide(scope: CheckScope, permissions: string[]): Promise<Decision[]> {
    return new Promise((resolve, reject) => {
      const answer = (decision = VIEW) => resolve(permissions.map(() => decision))
      this.asked.push({ scope, permissions, answer, fail: reject })
      if (this.answersAtOnce) answer(this.answersAtOnce)
    })
  }

  get count() {
    return this.asked.length
  }
}

function aCache() {
  const clock = { now: 1_000 }
  const source = new CountingSource()
  return { clock, source, cache: new CachedResolver(source, { now: () => clock.now }) }
}

function aSlowCache() {
  const parts = aCache()
  parts.source.answersAtOnce = null
  return parts
}

test.group('Decision cache, misses', () => {
  test('remembers a decision', async ({ assert }) => {
    const { cache, source } = aCache()
    assert.deepEqual(await cache.decide(ada, ['read']), [VIEW])
    assert.deepEqual(await cache.decide(ada, ['read']), [VIEW])
    assert.equal(source.count, 1)
    assert.equal(cache.size, 1)
  })

  test('remembers a "no" as well', async ({ assert }) => {
    const { cache, source } = aCache()
    source.answersAtOnce = NOTHING_GRANTS
    await cache.decide(ada, ['read'])
    assert.deepEqual(await cache.decide(ada, ['read']), [NOTHING_GRANTS])
    assert.equal(source.count, 1)
  })

  test('identical misses at the same time cost one evaluation', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const asking = Array.from({ length: 50 }, () => cache.decide(ada, ['read']))
    assert.equal(source.count, 1)
    source.asked[0].answer(EDIT)
    assert.deepEqual(
      await Promise.all(asking),
      asking.map(() => [EDIT])
    )
    assert.equal(source.count, 1)
  })

  test('a bulk check asks for its misses only, in one evaluation', async ({ assert }) => {
    const { cache, source } = aCache()
    await cache.decide(ada, ['b', 'd'])
    source.answersAtOnce = EDIT
    const answers = await cache.decide(ada, ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(answers, [EDIT, VIEW, EDIT, VIEW, EDIT])
    assert.deepEqual(
      source.asked.map(({ permissions }) => permissions),
      [
        ['b', 'd'],
        ['a', 'c', 'e'],
      ]
    )
  })

  test('a bulk check joins what is being evaluated and asks for the rest', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const first = cache.decide(ada, ['a', 'b'])
    const second = cache.decide(ada, ['b', 'c'])
    assert.deepEqual(source.asked[1].permissions, ['c'])
    source.asked[0].answer(VIEW)
    source.asked[1].answer(EDIT)
    assert.deepEqual(await first, [VIEW, VIEW])
    assert.deepEqual(await second, [VIEW, EDIT])
  })

  test('a permission named twice is evaluated once and answered twice', async ({ assert }) => {
    const { cache, source } = aCache()
    assert.deepEqual(await cache.decide(ada, ['a', 'a', 'a']), [VIEW, VIEW, VIEW])
    assert.deepEqual(source.asked[0].permissions, ['a'])
  })

  test('nothing asked costs nothing', async ({ assert }) => {
    const { cache, source } = aCache()
    assert.deepEqual(await cache.decide(ada, []), [])
    assert.equal(source.count, 0)
  })
})

test.group('Decision cache, failures', () => {
  test('a failing evaluation fails for all who joined it, and nothing is remembered', async ({
    assert,
  }) => {
    const { cache, source } = aSlowCache()
    const asking = [
      cache.decide(ada, ['read']),
      cache.decide(ada, ['read']),
      cache.decide(ada, ['read', 'write']),
    ]
    source.asked[1].answer()
    source.asked[0].fail(new Error('The database is away'))
    for (const answer of await Promise.allSettled(asking)) {
      assert.equal(answer.status, 'rejected')
      assert.match(String((answer as PromiseRejectedResult).reason), /database is away/)
    }

    source.answersAtOnce = EDIT
    assert.deepEqual(await cache.decide(ada, ['read']), [EDIT])
    assert.equal(source.count, 3)
  })
})

test.group('Decision cache, age', () => {
  test('a decision is good for 30 seconds and no longer', async ({ assert }) => {
    const { cache, source, clock } = aCache()
    await cache.decide(ada, ['read'])
    clock.now += 30_000
    await cache.decide(ada, ['read'])
    assert.equal(source.count, 1)
    clock.now += 1
    await cache.decide(ada, ['read'])
    assert.equal(source.count, 2)
    assert.equal(CACHE_TTL_MS, 30_000)
  })

  test('the age counts from the start of the evaluation', async ({ assert }) => {
    const { cache, source, clock } = aSlowCache()
    const asking = cache.decide(ada, ['read'])
    clock.now += 20_000
    source.asked[0].answer()
    await asking
    clock.now += 10_001
    source.answersAtOnce = EDIT
    assert.deepEqual(await cache.decide(ada, ['read']), [EDIT])
  })

  test('being asked for does not make a decision younger', async ({ assert }) => {
    const { cache, source, clock } = aCache()
    await cache.decide(ada, ['read'])
    for (let second = 0; second < 31; second++) {
      clock.now += 1_000
      await cache.decide(ada, ['read'])
    }
    assert.equal(source.count, 2)
  })

  test('a change nobody is told of shows after 30 seconds at the latest', async ({ assert }) => {
    const { cache, source, clock } = aCache()
    await cache.decide(ada, ['read'])
    source.answersAtOnce = NOTHING_GRANTS
    const began = clock.now
    while ((await cache.decide(ada, ['read']))[0].level !== null) clock.now += 100
    assert.isAtMost(clock.now - began, 30_100)
  })
})

test.group('Decision cache, capacity', () => {
  test('holds 5,000 decisions and drops the least recently used', async ({ assert }) => {
    const { cache, source } = aCache()
    await cache.decide(ada, ['first', 'second'])
    const others = CACHE_CAPACITY - 2
    for (let stored = 0; stored < others; stored += 500) {
      const somebody = checkScope(`p${stored}@x.example`, 'shop')
      await cache.decide(somebody, permissionsNamed('p', Math.min(500, others - stored)))
    }
    assert.equal(cache.size, 5_000)

    source.asked.length = 0
    await cache.decide(ada, ['first'])
    assert.equal(source.count, 0)
    await cache.decide(ada, ['one-too-many'])
    assert.equal(cache.size, 5_000)
    await cache.decide(ada, ['first'])
    assert.equal(source.count, 1)
    await cache.decide(ada, ['second'])
    assert.equal(source.count, 2)
  })

  test('one person takes a tenth of the places at most, and gives up their oldest', async ({
    assert,
  }) => {
    const { cache, source } = aCache()
    await cache.decide(bob, ['read'])
    await cache.decide(ada, permissionsNamed('first', PLACES_PER_PERSON))
    await cache.decide(ada, permissionsNamed('second', 10 * PLACES_PER_PERSON))
    assert.equal(cache.size, 1 + PLACES_PER_PERSON)

    source.asked.length = 0
    await cache.decide(bob, ['read'])
    await cache.decide(ada, permissionsNamed('second', 10 * PLACES_PER_PERSON).slice(-500))
    assert.equal(source.count, 0)
    await cache.decide(ada, ['first-0'])
    assert.equal(source.count, 1)
  })

  test('the share is exact whatever ends, is forgotten and comes again', async ({ assert }) => {
    const { cache, clock } = aCache()
    const asks = fc.record({
      who: fc.constantFrom(ada, bob),
      first: fc.nat(2_000),
      count: fc.nat(400),
    })
    const step = fc.oneof(
      { weight: 6, arbitrary: asks },
      { weight: 1, arbitrary: fc.constantFrom('forget ada' as const, 'clear' as const) },
      { weight: 1, arbitrary: fc.nat(20_000) }
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        cache.clear()
        for (const each of steps) {
          if (each === 'clear') cache.clear()
          else if (each === 'forget ada') cache.invalidate([{ email: ada.email }])
          else if (typeof each === 'number') clock.now += each
          else {
            const codes = permissionsNamed('p', each.first + each.count).slice(each.first)
            await cache.decide(each.who, codes)
            assert.isAtMost(cache.size, 2 * PLACES_PER_PERSON)
          }
        }
        // Whatever came before, each still has their whole share.
        cache.clear()
        for (const who of [ada, bob]) await cache.decide(who, permissionsNamed('p', 501))
        assert.equal(cache.size, 2 * PLACES_PER_PERSON)
      }),
      { numRuns: 60, seed: 14_11 }
    )
  })

  test('a permission that nobody defined is shared while it is decided, and takes no place', async ({
    assert,
  }) => {
    const { cache, source } = aSlowCache()
    const asking = [cache.decide(ada, ['made-up']), cache.decide(ada, ['made-up'])]
    assert.equal(source.count, 1)
    source.asked[0].answer({ ...NOTHING_GRANTS, undefinedPermission: true })
    await Promise.all(asking)
    assert.equal(cache.size, 0)
    void cache.decide(ada, ['made-up'])
    assert.equal(source.count, 2)
  })
})

test.group('Decision cache, invalidation', () => {
  test('an evaluation that began before an invalidation is not remembered', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const before = cache.decide(ada, ['read'])
    cache.invalidate([{ email: ada.email }])
    source.asked[0].answer(EDIT)
    assert.deepEqual(await before, [EDIT])
    assert.equal(cache.size, 0)

    source.answersAtOnce = NOTHING_GRANTS
    assert.deepEqual(await cache.decide(ada, ['read']), [NOTHING_GRANTS])
  })

  test('nor joined by those who ask after it', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const before = cache.decide(ada, ['read'])
    cache.invalidate([{ email: ada.email }])
    const after = cache.decide(ada, ['read'])
    assert.equal(source.count, 2)
    // The old one ends last: it must neither answer nor replace what the new one found.
    source.asked[1].answer(NOTHING_GRANTS)
    assert.deepEqual(await after, [NOTHING_GRANTS])
    source.asked[0].answer(EDIT)
    assert.deepEqual(await before, [EDIT])
    assert.deepEqual(await cache.decide(ada, ['read']), [NOTHING_GRANTS])
    assert.equal(source.count, 2)
  })

  test('an old evaluation that ends does not part later askers from the new one', async ({
    assert,
  }) => {
    const { cache, source } = aSlowCache()
    const before = cache.decide(ada, ['read'])
    cache.clear()
    const after = cache.decide(ada, ['read'])
    source.asked[0].answer(EDIT)
    await before
    const later = cache.decide(ada, ['read'])
    assert.equal(source.count, 2)
    source.asked[1].answer(VIEW)
    assert.deepEqual(await Promise.all([after, later]), [[VIEW], [VIEW]])
  })

  const scopes = {
    'ada, shop': checkScope('ada@x.example', 'shop'),
    'ada, shop, order 1': checkScope('ada@x.example', 'shop', 'order', '1'),
    'ada, bank': checkScope('ada@x.example', 'bank'),
    'bob, shop': checkScope('bob@x.example', 'shop'),
    'bob, bank': checkScope('bob@x.example', 'bank'),
    'shop, ada': checkScope('shop', 'ada@x.example'),
    'ada, shop2': checkScope('ada@x.example', 'shop2'),
  }
  type Name = keyof typeof scopes
  const names = Object.keys(scopes) as Name[]
  const cases: { by: string; scopes: AccessScope[]; drops: Name[] }[] = [
    {
      by: 'a user',
      scopes: [{ email: 'ada@x.example' }],
      drops: ['ada, shop', 'ada, shop, order 1', 'ada, bank', 'ada, shop2'],
    },
    {
      by: 'a user in an application',
      scopes: [{ email: 'ada@x.example', application: 'shop' }],
      drops: ['ada, shop', 'ada, shop, order 1'],
    },
    {
      by: 'an application',
      scopes: [{ application: 'shop' }],
      drops: ['ada, shop', 'ada, shop, order 1', 'bob, shop'],
    },
    {
      by: 'several of these at once',
      scopes: [{ email: 'bob@x.example' }, { application: 'shop2' }],
      drops: ['bob, shop', 'bob, bank', 'ada, shop2'],
    },
    { by: 'nothing', scopes: [], drops: [] },
    { by: 'everything', scopes: [{}], drops: names },
    { by: 'everything beside a user', scopes: [{ email: 'nobody@x.example' }, {}], drops: names },
  ]

  test('by {by} drops exactly that')
    .with(cases)
    .run(async ({ assert }, { scopes: changed, drops }) => {
      const { cache, source } = aCache()
      for (const name of names) await cache.decide(scopes[name], ['read', 'write'])
      cache.invalidate(changed)
      assert.equal(cache.size, 2 * (names.length - drops.length))

      source.asked.length = 0
      for (const name of names) await cache.decide(scopes[name], ['read', 'write'])
      assert.deepEqual(
        source.asked.map(({ scope }) => scope),
        names.filter((name) => drops.includes(name)).map((name) => scopes[name])
      )
    })

  test('clearing drops everything, evaluations under way included', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const before = cache.decide(ada, ['read'])
    cache.clear()
    source.asked[0].answer()
    await before
    assert.equal(cache.size, 0)
  })
})

test.group('Decision cache, interleavings', () => {
  test('nobody who asks after a change gets an answer from before it', async ({ assert }) => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('ask' as const) },
      { weight: 2, arbitrary: fc.nat(5) },
      { weight: 1, arbitrary: fc.constant('change' as const) },
      { weight: 1, arbitrary: fc.constant('changeAnother' as const) }
    )
    const { cache, source } = aSlowCache()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        cache.clear()
        source.asked.length = 0
        const versions: Decision[] = [{ ...VIEW }]
        const seenBy: Decision[] = []
        const answers: Promise<void>[] = []
        const finish = (at: number) => source.asked[at]?.answer(seenBy[at])
        for (const each of steps) {
          const current = versions.length - 1
          if (each === 'ask') {
            const asking = cache.decide(ada, ['read'])
            // An evaluation sees what was stored when it began.
            if (source.count > seenBy.length) seenBy.push(versions[current])
            const check = ([decision]: Decision[]) =>
              assert.isAtLeast(versions.indexOf(decision), current)
            answers.push(asking.then(check))
          } else if (each === 'change') {
            versions.push({ ...VIEW })
            cache.invalidate([{ email: ada.email, application: ada.app }])
          } else if (each === 'changeAnother') {
            cache.invalidate([{ email: 'bob@x.example' }])
          } else {
            finish(source.count - 1 - each)
            await Promise.resolve()
          }
        }
        source.asked.forEach((_, at) => finish(at))
        await Promise.all(answers)
      }),
      { numRuns: 500 }
    )
  })
})

test.group('Decision cache, keys', () => {
  test('questions that differ in any part never share an answer', async ({ assert }) => {
    // Few characters, so that moving one from a part to its neighbour often makes the same text; no NUL, see 1.6.
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '|', ':', '\\', '"', ',', '\u0001'),
      maxLength: 3,
    })
    const question = fc.tuple(part, part, part, part, part)
    const { cache, source } = aCache()
    await fc.assert(
      fc.asyncProperty(question, question, async (first, second) => {
        cache.clear()
        source.asked.length = 0
        const ask = ([email, app, permission, type, id]: typeof first) =>
          cache.decide(checkScope(email, app, type, id), [permission])
        await ask(first)
        await ask(second)
        const canonical = ([email, app, permission, type, id]: typeof first) =>
          JSON.stringify([checkScope(email, app, type, id), permission])
        assert.equal(source.count, canonical(first) === canonical(second) ? 1 : 2)
      }),
      {
        numRuns: 2_000,
        examples: [
          [
            ['a', 'b', '', '', ''],
            ['a', '', 'b', '', ''],
          ],
        ],
      }
    )
  })

  test('only one resource field asks the same as none', async ({ assert }) => {
    const { cache, source } = aCache()
    await cache.decide(checkScope('ada@x.example', 'shop'), ['read'])
    await cache.decide(checkScope('ada@x.example', 'shop', 'order'), ['read'])
    await cache.decide(checkScope('ada@x.example', 'shop', undefined, '1'), ['read'])
    assert.equal(source.count, 1)
  })
})
