import { test } from '@japa/runner'
import type { AccessChange, RecentChanges } from '#core/changes/access_changes'
import type { AccessScope } from '#core/events/access_changed'
import { eventually } from '#tests/helpers/eventually'
import { FollowedChanges } from '#app/checks/invalidation/followed_changes'

const ADA = { email: 'ada@x.example' }
const EVERYTHING = {}

/** Changes as a database has them, and what a process that follows them does. */
function aFollower() {
  const stored: AccessChange[] = []
  const world = {
    latest: 0,
    removedThrough: -1,
    isDown: false,
    reads: 0,
    replayed: -1,
    now: 0,
    wall: 0,
  }
  const invalidated: AccessScope[] = []
  const read = async (after: number, limit: number): Promise<RecentChanges> => {
    world.reads++
    await null
    if (world.isDown) throw new Error('The database is down')
    const { latest, removedThrough } = world
    if (after < removedThrough || after > latest) return { changes: null, hasMore: false, latest }
    const changes = stored.filter(({ revision }) => revision > after && revision <= latest)
    return { changes: changes.slice(0, limit), hasMore: changes.length > limit, latest }
  }
  const readReplica = async (after: number, limit: number) => {
    const { latest } = world
    if (world.replayed < after) return null
    Object.assign(world, { latest: world.replayed, isDown: false })
    const recent = await read(after, limit)
    Object.assign(world, { latest, isDown: true })
    return recent
  }
  const changes = new FollowedChanges({
    read,
    readReplica,
    invalidate: (scopes) => invalidated.push(...scopes),
    clocks: [() => world.now, () => world.wall],
  })
  const commit = (...scopes: AccessScope[]) => {
    world.latest++
    stored.push({ revision: world.latest, scopes })
    return { revision: world.latest, scopes }
  }
  const forget = () => {
    const former = [...invalidated]
    invalidated.length = 0
    return former
  }
  return { changes, world, commit, invalidated: forget }
}

test.group('Followed changes', () => {
  test('reflect nothing before the first read, not even revision 0', async ({ assert }) => {
    const { changes } = aFollower()
    assert.isFalse(changes.reflects(0))
    assert.isTrue(await changes.reach(0))
    assert.isTrue(changes.reflects(0))
  })

  test('a notice of the next change advances the revision without a query', async ({ assert }) => {
    const { changes, world, commit, invalidated } = aFollower()
    await changes.catchUp()
    const reads = world.reads
    changes.apply(commit(ADA))
    assert.isTrue(changes.reflects(1))
    assert.deepEqual(invalidated(), [ADA])
    assert.equal(world.reads, reads)
  })

  const pauses: Record<string, { now: number; wall: number }> = {
    'process stood still': { now: 2_000, wall: 2_000 },
    'machine was suspended': { now: 0, wall: 2_000 },
    'process stood still and the clock was set back': { now: 2_000, wall: -60_000 },
  }

  test('are read before anything is decided after the {$self}')
    .with(Object.keys(pauses))
    .run(async ({ assert, cleanup }, name) => {
      const { changes, world, commit, invalidated } = aFollower()
      const stop = new AbortController()
      cleanup(() => stop.abort())
      void changes.poll(stop.signal)
      await changes.reach(0)
      assert.isFalse(changes.mayHaveMissed)
      world.now += 900
      world.wall += 900
      assert.isFalse(changes.mayHaveMissed)
      world.now += pauses[name].now
      world.wall += pauses[name].wall
      commit(ADA)
      assert.isTrue(changes.mayHaveMissed)
      assert.isTrue(await changes.reach(0))
      assert.deepEqual(invalidated(), [ADA])
      await eventually('the pause to be over', () => !changes.mayHaveMissed)
    })

  test('a notice after a gap is applied, but counts only once the gap is filled', async ({
    assert,
  }) => {
    const { changes, commit, invalidated } = aFollower()
    await changes.catchUp()
    commit({ application: 'missed' })
    const second = commit(ADA)
    changes.apply(second)
    assert.deepEqual(invalidated(), [ADA])
    assert.isFalse(changes.reflects(1))
    await changes.catchUp()
    assert.deepInclude(invalidated(), { application: 'missed' })
    assert.isTrue(changes.reflects(2))
  })

  test('a change that nobody announced is read when it is required', async ({ assert }) => {
    const { changes, commit, invalidated } = aFollower()
    await changes.catchUp()
    const { revision } = commit(ADA)
    assert.isTrue(await changes.reach(revision))
    assert.deepEqual(invalidated(), [ADA])
  })

  test('a change is applied once, however often it is announced and read', async ({ assert }) => {
    const { changes, commit, invalidated } = aFollower()
    await changes.catchUp()
    invalidated()
    const first = commit(ADA)
    changes.apply(first)
    changes.apply(first)
    commit({ application: 'missed' })
    const third = commit(ADA)
    changes.apply(third)
    await changes.catchUp()
    changes.apply(third)
    assert.deepEqual(invalidated(), [ADA, ADA, { application: 'missed' }])
  })

  test('a change in parts counts with its last one', async ({ assert }) => {
    const { changes, commit, invalidated } = aFollower()
    await changes.catchUp()
    invalidated()
    const { revision } = commit(ADA, { application: 'shop' })
    changes.apply({ scopes: [ADA], revision, isPart: true })
    assert.isFalse(changes.reflects(revision))
    changes.apply({ scopes: [{ application: 'shop' }], revision })
    assert.isTrue(changes.reflects(revision))
    assert.deepEqual(invalidated(), [ADA, { application: 'shop' }])
  })

  test('a required revision that does not exist is refused', async ({ assert }) => {
    const { changes } = aFollower()
    assert.isFalse(await changes.reach(1))
  })

  test('without the database, a missing revision is an error', async ({ assert }) => {
    const { changes, world, commit } = aFollower()
    await changes.catchUp()
    const { revision } = commit(ADA)
    world.isDown = true
    await assert.rejects(() => changes.reach(revision), 'The database is down')
    world.isDown = false
    assert.isTrue(await changes.reach(revision))
  })

  test('simultaneous requirements share queries, and each sees what came before it', async ({
    assert,
  }) => {
    const { changes, world, commit } = aFollower()
    await changes.catchUp()
    world.reads = 0
    const first = changes.reach(commit(ADA).revision)
    const others = Array.from({ length: 50 }, () => changes.reach(commit(ADA).revision))
    assert.deepEqual(await Promise.all([first, ...others]), Array(51).fill(true))
    assert.isAtMost(world.reads, 2)
  })

  test('a notice during a query does not take the revision back', async ({ assert }) => {
    const { changes, commit, world } = aFollower()
    await changes.catchUp()
    const reading = changes.catchUp()
    changes.apply(commit(ADA))
    await reading
    assert.equal(changes.revision, world.latest)
  })

  test('too many changes, or removed ones, clear everything', async ({ assert }) => {
    const { changes, world, commit, invalidated } = aFollower()
    await changes.catchUp()
    invalidated()
    for (let change = 0; change < 501; change++) commit(ADA)
    await changes.catchUp()
    assert.deepEqual(invalidated(), [EVERYTHING])
    assert.isTrue(changes.reflects(501))
    commit(ADA)
    world.removedThrough = world.latest
    await changes.catchUp()
    assert.deepEqual(invalidated(), [EVERYTHING])
    assert.equal(changes.revision, 502)
  })

  test('a restored backup clears everything and takes the revision back', async ({ assert }) => {
    const { changes, world, commit, invalidated } = aFollower()
    commit(ADA)
    commit(ADA)
    await changes.catchUp()
    invalidated()
    world.latest = 1
    await changes.catchUp()
    assert.deepEqual(invalidated(), [EVERYTHING])
    assert.equal(changes.revision, 1)
    assert.isFalse(changes.reflects(2))
  })

  test('listeners hear of each advance until they leave', async ({ assert }) => {
    const { changes, commit } = aFollower()
    const heard: number[] = []
    await changes.catchUp()
    const leave = changes.onAdvance((revision) => heard.push(revision))
    changes.apply(commit(ADA))
    changes.apply(commit(ADA))
    leave()
    changes.apply(commit(ADA))
    assert.deepEqual(heard, [1, 2])
  })
  test('follow the replica while the primary is down, as far as it goes', async ({ assert }) => {
    const { changes, world, commit, invalidated } = aFollower()
    await changes.catchUp()
    commit(ADA)
    commit(ADA)
    Object.assign(world, { isDown: true, replayed: 1 })
    invalidated()
    assert.isTrue(await changes.reach(1))
    assert.deepEqual(invalidated(), [ADA])
    await assert.rejects(() => changes.reach(2), 'The database is down')
    await assert.rejects(() => changes.catchUp(), 'The database is down')
    assert.equal(changes.revision, 1)
  })

  test('ignore a replica that is behind', async ({ assert }) => {
    const { changes, world, commit, invalidated } = aFollower()
    commit(ADA)
    await changes.catchUp()
    Object.assign(world, { isDown: true, replayed: 0 })
    invalidated()
    await assert.rejects(() => changes.catchUp(), 'The database is down')
    assert.isEmpty(invalidated())
    assert.equal(changes.revision, 1)
  })

  test('require of reads whatever was announced, even if changes before it are missing', async ({
    assert,
  }) => {
    const { changes, commit } = aFollower()
    assert.isNull(changes.required)
    await changes.catchUp()
    assert.equal(changes.required, 0)
    commit(ADA)
    changes.apply({ ...commit(ADA), isPart: true })
    assert.equal(changes.revision, 0)
    assert.equal(changes.required, 2)
  })

  test('no longer require what was announced but never committed', async ({ assert }) => {
    const { changes } = aFollower()
    await changes.catchUp()
    changes.apply({ scopes: [ADA], revision: 7, isPart: true })
    assert.equal(changes.required, 7)
    await changes.catchUp()
    assert.equal(changes.required, 0)
  })
})
