import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import type { EventStream } from '#tests/helpers/event_stream'
import { eventually } from '#tests/helpers/eventually'
import { INBOX, aNotification } from '#tests/helpers/inbox'
import { aTicket, followInbox, openStream, storyOf } from '#tests/helpers/inbox_streams'
import { logLines } from '#tests/helpers/log_lines'
import { lifecycleEvent } from '#tests/helpers/management'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'
import { startService } from '#tests/world/service'

const pathOf = (ticket: string) => `${INBOX}/stream?ticket=${encodeURIComponent(ticket)}`
const tickets = (email: string) => db.from('inbox_stream_tickets').where({ email })

test.group('Tickets for the stream of an inbox', (group) => {
  group.each.teardown(async () => {
    await eventually('no stream is left', () => inboxStreams.size === 0)
  })

  test('open the stream of the user who asked for it', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail()
    await aNotification(email)
    const response = await signedIn(client, email).post(`${INBOX}/stream-ticket`)
    response.assertStatus(201)
    response.assertHeader('cache-control', 'no-store')
    const { ticket, expiresAt } = response.body().response
    const seconds = DateTime.fromISO(expiresAt).diffNow().as('seconds')
    assert.isTrue(seconds > 20 && seconds <= 30)
    const [row] = await tickets(email)
    assert.notInclude(JSON.stringify(row), ticket)
    const stream = await openStream(serviceUrl() + pathOf(ticket), {}, cleanup)
    assert.deepEqual(storyOf(stream), ['unread-count 1'])
    assert.lengthOf(await tickets(email), 0)
  })

  test('open a stream that ends with the token', async ({ client, assert, cleanup }) => {
    const exp = Math.floor(Date.now() / 1_000) + 3
    const token = await issuer.token(uniqueEmail(), { claims: { exp } })
    const response = await client.post(`${INBOX}/stream-ticket`).bearerToken(token)
    response.assertStatus(201)
    const { ticket } = response.body().response
    const stream = await openStream(serviceUrl() + pathOf(ticket), {}, cleanup)
    await eventually('it ends', () => stream.isEnded)
    assert.equal(storyOf(stream).at(-1), 'end token_expired')
  })

  test('and streams need a token that has not expired, however little', async ({ client }) => {
    const exp = Math.floor(Date.now() / 1_000) - 1
    const token = await issuer.token(uniqueEmail(), { claims: { exp } })
    const count = await client.get(`${INBOX}/unread-count`).bearerToken(token)
    count.assertStatus(200)
    const ticket = await client.post(`${INBOX}/stream-ticket`).bearerToken(token)
    ticket.assertProblem(401, 'UNAUTHENTICATED')
    const stream = await client.get(`${INBOX}/stream`).bearerToken(token)
    stream.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('are refused when used, old or made up', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail()
    const used = await aTicket(client, email)
    await openStream(serviceUrl() + pathOf(used), {}, cleanup)
    const old = await aTicket(client, email)
    await tickets(email).update({ expires_at: DateTime.utc().minus({ seconds: 1 }).toISO() })
    for (const ticket of [used, old, 'made-up', `${used}x`, 'x'.repeat(600), '']) {
      const response = await client.get(pathOf(ticket))
      response.assertProblem(401, 'UNAUTHENTICATED')
      assert.notInclude(response.text(), ticket || 'ticket=')
    }
    const several = await client.get(`${INBOX}/stream?ticket=a&ticket=b`)
    several.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('are not used up by HEAD', async ({ client, assert, cleanup }) => {
    const ticket = await aTicket(client, uniqueEmail())
    const head = await fetch(serviceUrl() + pathOf(ticket), { method: 'HEAD' })
    assert.equal(head.status, 200)
    const stream = await openStream(serviceUrl() + pathOf(ticket), {}, cleanup)
    assert.equal(stream.response.status, 200)
  })

  test('of users who have been deactivated since are refused', async ({ client }) => {
    const email = uniqueEmail()
    const ticket = await aTicket(client, email)
    await lifecycleEvent(client, 'user.deactivated', email)
    const response = await client.get(pathOf(ticket))
    response.assertProblem(403, 'USER_INACTIVE')
  })

  test('are bounded per user', async ({ client, assert }) => {
    const email = uniqueEmail()
    const first = await aTicket(client, email)
    for (let count = 0; count < 20; count++) await aTicket(client, email)
    assert.lengthOf(await tickets(email), 20)
    const response = await client.get(pathOf(first))
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})

test.group('Inbox streams of several processes', (group) => {
  group.each.timeout(120_000)

  test('hear of each other, let a ticket in once, and log none', async ({
    client,
    assert,
    cleanup,
  }) => {
    const service = await startService({
      ...sameDatabase(),
      LOG_LEVEL: 'debug',
      ACCESS_LOG: 'true',
    })
    cleanup(async () => void (await service.stop()))
    const [email, other] = [uniqueEmail(), uniqueEmail()]
    const here = await followInbox(email, cleanup)
    const there = await followInbox(email, cleanup, { url: service.url })
    const foreign = await followInbox(other, cleanup, { url: service.url })
    const { id } = await aNotification(email)
    for (const stream of [here, there]) {
      await stream.find('it', ({ event, data }) => event === 'notification' && data.id === id)
    }
    await signedIn(client, email).patch(`${INBOX}/${id}/read`)
    for (const stream of [here, there]) {
      await stream.find('the reading', ({ event }) => event === 'read')
    }
    assert.deepEqual(storyOf(foreign), ['unread-count 0'])

    const ticket = await aTicket(client, email)
    const race: EventStream[] = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const origin = index % 2 === 0 ? serviceUrl() : service.url
        return openStream(origin + pathOf(ticket), {}, cleanup)
      })
    )
    const statuses = race.map(({ response }) => response.status)
    assert.deepEqual(statuses.sort(), [200, ...Array.from({ length: 7 }, () => 401)])

    await lifecycleEvent(client, 'user.deactivated', email)
    await eventually('it ends there, too', () => there.isEnded)
    foreign.close()
    const requests = () => logLines(service).filter(({ route }) => route === `${INBOX}/stream`)
    await eventually('the requests are logged', () => requests().length >= 5)
    assert.notInclude(service.output(), ticket)
    assert.notInclude(service.output(), encodeURIComponent(ticket))
    assert.notInclude(service.output(), ticket.slice(0, 40))
  })
})
