import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { ArrivingRequest } from '#core/http/arriving_request'

const CHUNKS = 10_000

let pushes = 0
class CountedRequest extends ArrivingRequest {
  override push(chunk: Buffer | null) {
    pushes += 1
    return super.push(chunk)
  }
}

test.group('Chunks of a refused body', (group) => {
  let port: number

  group.setup(async () => {
    const echo = async (request: IncomingMessage, response: ServerResponse) =>
      response.end(await text(request).catch(() => ''))
    const server = createServer(
      { IncomingMessage: CountedRequest },
      (...both) => void echo(...both)
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    ;({ port } = server.address() as AddressInfo)
    return () => {
      server.closeAllConnections()
      server.close()
    }
  })

  group.each.setup(() => {
    pushes = 0
  })

  /** Sends all of it at once, and returns what comes back until the connection closes. */
  async function answerTo(chunks: string) {
    const socket = connect(port, '127.0.0.1')
    const head =
      'PUT / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n'
    socket.write(head + chunks)
    return text(socket)
  }

  test('are not handed over one by one', async ({ assert }) => {
    assert.include(await answerTo('1\r\n \r\n'.repeat(CHUNKS)), ' 413 ')
    assert.isBelow(pushes, CHUNKS / 5)
  })

  test('take nothing from the bodies of other connections', async ({ assert }) => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        answerTo(index % 2 ? '5\r\nwhole\r\n0\r\n\r\n' : '1\r\n \r\n'.repeat(CHUNKS))
      )
    )
    const next = await Promise.all(
      Array.from({ length: 60 }, () => answerTo('5\r\nwhole\r\n0\r\n\r\n'))
    )
    for (const answer of [...answers.filter((_, index) => index % 2), ...next]) {
      assert.match(answer, / 200 [\s\S]*whole/)
    }
  })
})
