import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { waitingFor } from '#core/database/share_connections'
import { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import inboxConfig from '#config/inbox'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'

const STREAMS = 200

function aFollower() {
  const caller = { email: uniqueEmail(), subject: '1', expiresAt: Date.now() + 60_000 }
  const connection = new ServerResponse(new IncomingMessage(new Socket()))
  const position = { horizon: Date.now() - 60_000, marks: [] }
  const follower = new InboxFollower(caller, position, connection)
  follower.body.resume()
  return follower
}

test.group('Streams of many users that are opened together', () => {
  test('leave the database to others', async ({ assert }) => {
    await inboxStreams.start()
    const followers = Array.from({ length: STREAMS }, aFollower)
    for (const follower of followers) inboxStreams.follow(follower)
    const pool = db.manager.get(db.primaryConnectionName)!.connection!.pool!
    let mostWaiting = 0
    let isOver = false
    const ended = eventually('all have begun', () => followers.every(({ isClosed }) => isClosed))
    void ended.finally(() => (isOver = true))
    while (!isOver) {
      mostWaiting = Math.max(mostWaiting, waitingFor(pool))
      await nextTurn()
    }
    await ended
    assert.isAtMost(mostWaiting, inboxConfig.openedTogether)
  })
})
