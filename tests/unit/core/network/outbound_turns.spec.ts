import { test } from '@japa/runner'
import { OutboundTurns } from '#core/network/outbound_turns'
import { Deadline } from '#core/values/deadline'

const SOON = new Deadline(60_000)

const owner = (group: string) => ({ group })

/** The order in which requests of these owners begin if they arrive in this one. */
async function orderOf(turns: OutboundTurns, groups: string[]) {
  const begun: string[] = []
  const each = async (group: string) => {
    if (await turns.take(owner(group), SOON)) begun.push(group)
  }
  await Promise.all(groups.map(each))
  return begun
}

test.group('Turns of outbound requests', () => {
  test('begin at once while the process is not busy', async ({ assert }) => {
    const turns = new OutboundTurns({ readUtilization: () => 0.1 })
    let begun = 0
    for (let request = 0; request < 50; request++) {
      void turns.take(owner('shop'), SOON).then(() => begun++)
    }
    await new Promise(process.nextTick)
    assert.equal(begun, 50)
  })

  test('pass from owner to owner, however many requests one of them has', async ({ assert }) => {
    const turns = new OutboundTurns({ ratePerSecond: { busy: 500, most: 500 } })
    const flood = Array.from({ length: 200 }, () => 'flood')
    const begun = await orderOf(turns, [...flood, 'shop', 'wiki', 'shop'])
    assert.lengthOf(begun, 203)
    const burst = 25
    assert.isBelow(begun.indexOf('shop'), burst + 4)
    assert.isBelow(begun.indexOf('wiki'), burst + 4)
    assert.isBelow(begun.lastIndexOf('shop'), burst + 6)
  })

  test('come less often the longer the process is busy, and again when it is not', async ({
    assert,
  }) => {
    let utilization = 1
    const turns = new OutboundTurns({
      ratePerSecond: { busy: 50, most: 5_000 },
      readUtilization: () => utilization,
    })
    const begunIn = async (durationMs: number) => {
      const end = new Deadline(durationMs)
      let begun = 0
      const runner = async () => {
        while (await turns.take(owner('flood'), end)) {
          begun++
          await new Promise(setImmediate)
        }
      }
      await Promise.all(Array.from({ length: 200 }, runner))
      return begun
    }
    await begunIn(1_500)
    const busy = await begunIn(500)
    assert.isBelow(busy, 60)
    utilization = 0
    await begunIn(500)
    assert.isAbove(await begunIn(500), 2 * busy)
  })

  test('come less often if receivers cause work', async ({ assert }) => {
    const turns = new OutboundTurns({ ratePerSecond: { busy: 400, most: 400 } })
    const begunWith = async (work: () => void) => {
      const end = new Deadline(400)
      let begun = 0
      while (await turns.take(owner('shop'), end)) {
        begun++
        work()
      }
      return begun
    }
    const easy = await begunWith(() => {})
    const hard = await begunWith(() => turns.charge(2))
    assert.isBelow(hard, easy / 2)
  })

  test('are given up when the deadline passes, so that others get them', async ({ assert }) => {
    const turns = new OutboundTurns({ ratePerSecond: { busy: 20, most: 20 } })
    await turns.take(owner('shop'), SOON)
    const late = await Promise.all(
      Array.from({ length: 1_000 }, () => turns.take(owner('flood'), new Deadline(5)))
    )
    assert.isAbove(late.filter((isInTime) => !isInTime).length, 990)
    assert.isTrue(await turns.take(owner('shop'), SOON))
    assert.isFalse(await turns.take(owner('shop'), new Deadline(0)))
  })
})
