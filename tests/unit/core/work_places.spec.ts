import { test } from '@japa/runner'
import { QUICK_MS, WorkPlaces } from '#core/database/work_places'
import { Deadline } from '#core/values/deadline'

const SLOW_MS = 1_000

const soon = () => new Deadline(60_000)

const places = (capacity: number, forSlow = capacity - 1) =>
  new WorkPlaces({ capacity, forSlow, slowMs: SLOW_MS, detail: 'Too much is in progress' })

/** Makes holders slow. */
async function slowDown(of: WorkPlaces, ...holders: string[]) {
  for (const holder of holders) {
    const place = await of.enter(holder, soon())
    place.recordTime(SLOW_MS + 1)
    place.leave()
  }
}

test.group('Places for long work', () => {
  test('are one for each holder', async ({ assert }) => {
    const all = places(3)
    const first = await all.enter('a', soon())
    let hasSecond = false
    const second = all.enter('a', soon()).then((place) => {
      hasSecond = true
      return place
    })
    await all.enter('b', soon())
    assert.isFalse(hasSecond)
    first.leave()
    const place = await second
    place.leave()
    await all.enter('a', soon())
  })

  test('are refused at the deadline, and then to nobody else for it', async ({ assert }) => {
    const all = places(1)
    const place = await all.enter('a', soon())
    await assert.rejects(() => all.enter('b', new Deadline(1)), 'Too much is in progress')
    place.leave()
    await all.enter('c', soon())
  })

  test('are left to quick holders, however many slow ones there are', async ({ assert }) => {
    const all = places(3)
    const slow = ['a', 'b', 'c', 'd']
    await slowDown(all, ...slow)
    const entered: string[] = []
    const entering = slow.map(async (holder) => {
      const place = await all.enter(holder, soon())
      entered.push(holder)
      return place
    })
    for (let round = 0; round < 3; round++) (await all.enter('quick', soon())).leave()
    assert.deepEqual(entered, ['a', 'b'])
    for (const place of entering) (await place).leave()
    assert.deepEqual(entered, slow)
  })

  test('are few for slow holders where these block all others', async ({ assert }) => {
    const all = places(3, 1)
    await slowDown(all, 'a', 'b')
    const place = await all.enter('a', soon())
    await assert.rejects(() => all.enter('b', new Deadline(1)))
    await all.enter('c', soon())
    await all.enter('d', soon())
    place.leave()
    await all.enter('b', soon())
  })

  test('go to whoever has used them least lately', async ({ assert }) => {
    const all = places(1)
    const entered: string[] = []
    for (const [holder, ms] of [
      ['much', 900],
      ['little', 10],
      ['some', 400],
    ] as const) {
      const place = await all.enter(holder, soon())
      place.recordTime(ms)
      place.leave()
    }
    const holding = await all.enter('other', soon())
    const entering = ['much', 'some', 'little'].map(async (holder) => {
      const place = await all.enter(holder, soon())
      entered.push(holder)
      place.leave()
    })
    holding.leave()
    await Promise.all(entering)
    assert.deepEqual(entered, ['little', 'some', 'much'])
  })

  test('are free after quick work, and after a rest from other work', async ({ assert }) => {
    const all = places(2)
    const ofA = await all.enter('a', soon())
    const ofB = await all.enter('b', soon())
    ofA.leaveRested(QUICK_MS)
    ofB.leaveRested(QUICK_MS + 1)
    await all.enter('a', soon())
    await assert.rejects(() => all.enter('b', new Deadline(QUICK_MS)))
    await all.enter('b', soon())
  })
})
