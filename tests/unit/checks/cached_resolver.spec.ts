import fc from 'fast-check'
import { test } from '@japa/runner'
import type { AccessScope } from '#core/events/access_changed'
import { CachedResolver } from '#app/checks/resolvers/cached_resolver'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import {
  CACHE_CAPACITY,
  CACHE_TTL_MS,
  MAX_DECISIONS_PER_USER,
} from '#app/checks/resolvers/judgement_store'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'
import { type Decision, NOTHING_GRANTS } from '#app/checks/values/decision'
import type { Judgement } from '#app/checks/values/judgement'
import { decided } from '#tests/helpers/decided'

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

/** Counts evaluations, and answers at once or when the test says so. */
class CountingSource implements CheckResolver {
  readonly asked: Asked[] = []
  answersAtOnce: Decision | null = VIEW
  until = Infinity

  judge(scope: CheckScope, permissions: string[]): Promise<Judgement[]> {
    return new Promise((resolve, reject) => {
      const answer = (decision = VIEW) => {
        const judgement = { decision, conditional: null, from: 0, until: this.until }
        resolve(permissions.map(() => judgement))
      }
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
  test('caches a decision', async ({ assert }) => {
    const { cache, source } = aCache()
    assert.deepEqual(await decided(cache, ada, ['read']), [VIEW])
    assert.deepEqual(await decided(cache, ada, ['read']), [VIEW])
    assert.equal(source.count, 1)
    assert.equal(cache.size, 1)
  })

  test('caches a denial', async ({ assert }) => {
    const { cache, source } = aCache()
    source.answersAtOnce = NOTHING_GRANTS
    await decided(cache, ada, ['read'])
    assert.deepEqual(await decided(cache, ada, ['read']), [NOTHING_GRANTS])
    assert.equal(source.count, 1)
  })

  test('identical concurrent misses share one evaluation', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const asking = Array.from({ length: 50 }, () => decided(cache, ada, ['read']))
    assert.equal(source.count, 1)
    source.asked[0].answer(EDIT)
    assert.deepEqual(
      await Promise.all(asking),
      asking.map(() => [EDIT])
    )
    assert.equal(source.count, 1)
  })

  test('a bulk check evaluates only its misses, in one evaluation', async ({ assert }) => {
    const { cache, source } = aCache()
    await decided(cache, ada, ['b', 'd'])
    source.answersAtOnce = EDIT
    const answers = await decided(cache, ada, ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(answers, [EDIT, VIEW, EDIT, VIEW, EDIT])
    assert.deepEqual(
      source.asked.map(({ permissions }) => permissions),
      [
        ['b', 'd'],
        ['a', 'c', 'e'],
      ]
    )
  })

  test('a bulk check joins pending evaluations and evaluates the rest', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const first = decided(cache, ada, ['a', 'b'])
    const second = decided(cache, ada, ['b', 'c'])
    assert.deepEqual(source.asked[1].permissions, ['c'])
    source.asked[0].answer(VIEW)
    source.asked[1].answer(EDIT)
    assert.deepEqual(await first, [VIEW, VIEW])
    assert.deepEqual(await second, [VIEW, EDIT])
  })

  test('a duplicate permission is evaluated once and returned twice', async ({ assert }) => {
    const { cache, source } = aCache()
    assert.deepEqual(await decided(cache, ada, ['a', 'a', 'a']), [VIEW, VIEW, VIEW])
    assert.deepEqual(source.asked[0].permissions, ['a'])
  })

  test('an empty list needs no evaluation', async ({ assert }) => {
    const { cache, source } = aCache()
    assert.deepEqual(await decided(cache, ada, []), [])
    assert.equal(source.count, 0)
  })
})

test.group('Decision cache, failures', () => {
  test('a failing evaluation fails for all callers, and nothing is cached', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const asking = [
      decided(cache, ada, ['read']),
      decided(cache, ada, ['read']),
      decided(cache, ada, ['read', 'write']),
    ]
    source.asked[1].answer()
    source.asked[0].fail(new Error('The database is away'))
    for (const answer of await Promise.allSettled(asking)) {
      assert.equal(answer.status, 'rejected')
      assert.match(String((answer as PromiseRejectedResult).reason), /database is away/)
    }

    source.answersAtOnce = EDIT
    assert.deepEqual(await decided(cache, ada, ['read']), [EDIT])
    assert.equal(source.count, 3)
  })
})

test.group('Decision cache, age', () => {
  test('a decision expires after 30 seconds', async ({ assert }) => {
    const { cache, source, clock } = aCache()
    await decided(cache, ada, ['read'])
    clock.now += 30_000
    await decided(cache, ada, ['read'])
    assert.equal(source.count, 1)
    clock.now += 1
    await decided(cache, ada, ['read'])
    assert.equal(source.count, 2)
    assert.equal(CACHE_TTL_MS, 30_000)
  })

  test('the age counts from the start of the evaluation', async ({ assert }) => {
    const { cache, source, clock } = aSlowCache()
    const asking = decided(cache, ada, ['read'])
    clock.now += 20_000
    source.asked[0].answer()
    await asking
    clock.now += 10_001
    source.answersAtOnce = EDIT
    assert.deepEqual(await decided(cache, ada, ['read']), [EDIT])
  })

  test('reading a decision does not extend its life', async ({ assert }) => {
    const { cache, source, clock } = aCache()
    await decided(cache, ada, ['read'])
    for (let second = 0; second < 31; second++) {
      clock.now += 1_000
      await decided(cache, ada, ['read'])
    }
    assert.equal(source.count, 2)
  })

  test('a change without an event shows after 30 seconds at most', async ({ assert }) => {
    const { cache, source, clock } = aCache()
    await decided(cache, ada, ['read'])
    source.answersAtOnce = NOTHING_GRANTS
    const began = clock.now
    while ((await decided(cache, ada, ['read']))[0].level !== null) clock.now += 100
    assert.isAtMost(clock.now - began, 30_100)
  })
})

test.group('Decision cache, capacity', () => {
  test('holds 5,000 decisions and drops the least recently used', async ({ assert }) => {
    const { cache, source } = aCache()
    await decided(cache, ada, ['first', 'second'])
    const others = CACHE_CAPACITY - 2
    for (let stored = 0; stored < others; stored += 500) {
      const someone = checkScope(`p${stored}@x.example`, 'shop')
      await decided(cache, someone, permissionsNamed('p', Math.min(500, others - stored)))
    }
    assert.equal(cache.size, 5_000)

    source.asked.length = 0
    await decided(cache, ada, ['first'])
    assert.equal(source.count, 0)
    await decided(cache, ada, ['one-too-many'])
    assert.equal(cache.size, 5_000)
    await decided(cache, ada, ['first'])
    assert.equal(source.count, 1)
    await decided(cache, ada, ['second'])
    assert.equal(source.count, 2)
  })

  test('one user has at most a tenth of the capacity, and loses their oldest decision', async ({
    assert,
  }) => {
    const { cache, source } = aCache()
    await decided(cache, bob, ['read'])
    await decided(cache, ada, permissionsNamed('first', MAX_DECISIONS_PER_USER))
    await decided(cache, ada, permissionsNamed('second', 10 * MAX_DECISIONS_PER_USER))
    assert.equal(cache.size, 1 + MAX_DECISIONS_PER_USER)

    source.asked.length = 0
    await decided(cache, bob, ['read'])
    await decided(cache, ada, permissionsNamed('second', 10 * MAX_DECISIONS_PER_USER).slice(-500))
    assert.equal(source.count, 0)
    await decided(cache, ada, ['first-0'])
    assert.equal(source.count, 1)
  })

  test('the limit per user is exact after expiry, invalidation and caching again', async ({
    assert,
  }) => {
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
            await decided(cache, each.who, codes)
            assert.isAtMost(cache.size, 2 * MAX_DECISIONS_PER_USER)
          }
        }
        // Each user can still use the full limit.
        cache.clear()
        for (const who of [ada, bob]) await decided(cache, who, permissionsNamed('p', 501))
        assert.equal(cache.size, 2 * MAX_DECISIONS_PER_USER)
      }),
      { numRuns: 60, seed: 14_11 }
    )
  })

  test('an undefined permission is shared while pending, but not cached', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const asking = [decided(cache, ada, ['made-up']), decided(cache, ada, ['made-up'])]
    assert.equal(source.count, 1)
    source.asked[0].answer({ ...NOTHING_GRANTS, undefinedPermission: true })
    await Promise.all(asking)
    assert.equal(cache.size, 0)
    void decided(cache, ada, ['made-up'])
    assert.equal(source.count, 2)
  })
})

test.group('Decision cache, invalidation', () => {
  test('an evaluation that started before an invalidation is not cached', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const before = decided(cache, ada, ['read'])
    cache.invalidate([{ email: ada.email }])
    source.asked[0].answer(EDIT)
    assert.deepEqual(await before, [EDIT])
    assert.equal(cache.size, 0)

    source.answersAtOnce = NOTHING_GRANTS
    assert.deepEqual(await decided(cache, ada, ['read']), [NOTHING_GRANTS])
  })

  test('an evaluation that started before an invalidation is not joined after it', async ({
    assert,
  }) => {
    const { cache, source } = aSlowCache()
    const before = decided(cache, ada, ['read'])
    cache.invalidate([{ email: ada.email }])
    const after = decided(cache, ada, ['read'])
    assert.equal(source.count, 2)
    // The old evaluation ends last. It must neither answer nor replace the new decision.
    source.asked[1].answer(NOTHING_GRANTS)
    assert.deepEqual(await after, [NOTHING_GRANTS])
    source.asked[0].answer(EDIT)
    assert.deepEqual(await before, [EDIT])
    assert.deepEqual(await decided(cache, ada, ['read']), [NOTHING_GRANTS])
    assert.equal(source.count, 2)
  })

  test('the end of an old evaluation does not affect a newer pending one', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const before = decided(cache, ada, ['read'])
    cache.clear()
    const after = decided(cache, ada, ['read'])
    source.asked[0].answer(EDIT)
    await before
    const later = decided(cache, ada, ['read'])
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

  test('by {by} drops exactly the matching decisions')
    .with(cases)
    .run(async ({ assert }, { scopes: changed, drops }) => {
      const { cache, source } = aCache()
      for (const name of names) await decided(cache, scopes[name], ['read', 'write'])
      cache.invalidate(changed)
      assert.equal(cache.size, 2 * (names.length - drops.length))

      source.asked.length = 0
      for (const name of names) await decided(cache, scopes[name], ['read', 'write'])
      assert.deepEqual(
        source.asked.map(({ scope }) => scope),
        names.filter((name) => drops.includes(name)).map((name) => scopes[name])
      )
    })

  test('clearing drops everything, including pending evaluations', async ({ assert }) => {
    const { cache, source } = aSlowCache()
    const before = decided(cache, ada, ['read'])
    cache.clear()
    source.asked[0].answer()
    await before
    assert.equal(cache.size, 0)
  })
})

test.group('Decision cache, interleavings', () => {
  test('a check after a change never returns an older decision', async ({ assert }) => {
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
            const asking = decided(cache, ada, ['read'])
            // An evaluation sees the data that was stored when it started.
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
  test('checks that differ in any part never share a decision', async ({ assert }) => {
    // Few characters, so that moving one to the next part often makes the same text.
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
          decided(cache, checkScope(email, app, type, id), [permission])
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

  test('a check with only one resource field is global', async ({ assert }) => {
    const { cache, source } = aCache()
    await decided(cache, checkScope('ada@x.example', 'shop'), ['read'])
    await decided(cache, checkScope('ada@x.example', 'shop', 'order'), ['read'])
    await decided(cache, checkScope('ada@x.example', 'shop', undefined, '1'), ['read'])
    assert.equal(source.count, 1)
  })
})
