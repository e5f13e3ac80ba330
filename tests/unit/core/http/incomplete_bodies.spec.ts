import { test } from '@japa/runner'
import { Place } from '#core/http/place'
import type { RequestKind } from '#core/http/request_kind'
import httpLimits from '#config/http_limits'

const KIND: RequestKind = { class: 'providerMails', identifiesCaller: false, readsBody: true }
const QUARTER_OF_PLACES = (httpLimits.inFlight.providerMails * httpLimits.arriving.perPlace) / 4
const QUARTER_OF_BYTES = httpLimits.arriving.bytes / 4

test.group('Incomplete bodies', (group) => {
  let places: Place[]
  let givenUp: string[]

  group.each.setup(() => {
    places = []
    givenUp = []
    return () => places.forEach((place) => place.leave())
  })

  function aBody(client: string, name = client) {
    const place = new Place(KIND, client, true)
    place.awaitBody(() => givenUp.push(name))
    places.push(place)
    return place
  }

  const bodiesOf = (client: string, count: number) =>
    Array.from({ length: count }, (_, index) => aBody(client, `${client}${index}`))

  test('give way to others, beginning with the oldest of the caller that has the most', ({
    assert,
  }) => {
    for (const client of ['b', 'c', 'd']) bodiesOf(client, QUARTER_OF_PLACES - 1)
    bodiesOf('a', QUARTER_OF_PLACES)
    for (const client of ['e', 'f', 'g']) aBody(client)
    assert.isEmpty(givenUp)

    aBody('h').begin()
    aBody('i').begin()
    assert.deepEqual(givenUp, ['a0'])
    aBody('j')
    aBody('k')
    assert.deepEqual(givenUp, ['a0', 'b0'])
  })

  test('give up their memory in the same way', ({ assert }) => {
    for (const client of ['a', 'b', 'c', 'd']) {
      aBody(client, `${client}0`).receive(QUARTER_OF_BYTES - 1_000)
      aBody(client, `${client}1`).receive(client === 'c' ? 1_000 : 900)
    }
    assert.isEmpty(givenUp)
    aBody('e').receive(2_000)
    assert.deepEqual(givenUp, ['c0'])
  })

  test('hold nothing once they are complete', ({ assert }) => {
    const complete = aBody('a')
    complete.receive(QUARTER_OF_BYTES)
    complete.begin()
    for (const client of ['b', 'c', 'd', 'e']) aBody(client).receive(QUARTER_OF_BYTES)
    assert.isEmpty(givenUp)
  })
})
