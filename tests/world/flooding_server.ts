import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`

/** What each path sends before its flood, and in it. */
const FLOODS = {
  'informational responses': ['', 'HTTP/1.1 103 E\r\n\r\n'],
  'empty lines': ['', '\r\n'],
  'a reason phrase': ['HTTP/1.1 200 ', 'y'],
  'extensions of a chunk': [`${CHUNKED}5;`, 'x=y;'],
  'chunks of one byte': [CHUNKED, '1\r\na\r\n'],
  'empty lines after the response': [`${OK}content-length: 0\r\n\r\n`, '\r\n'],
}
export type Flood = keyof typeof FLOODS
export const KINDS_OF_FLOOD = Object.keys(FLOODS) as Flood[]

/** A server in another process, which sends as fast as it can until the connection ends. */
export class FloodingServer {
  #process!: ChildProcess
  #port = 0

  async start(): Promise<this> {
    this.#process = fork(fileURLToPath(import.meta.url))
    const [port] = (await once(this.#process, 'message')) as [number]
    this.#port = port
    return this
  }

  urlOf(flood: Flood) {
    return `http://127.0.0.1:${this.#port}/${KINDS_OF_FLOOD.indexOf(flood)}`
  }

  async stop() {
    this.#process.kill()
    await once(this.#process, 'exit')
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (request) => {
      const kind = KINDS_OF_FLOOD[Number(/ \/(\d+)/.exec(request.toString())![1])]
      const [first, repeated] = FLOODS[kind]
      const data = Buffer.from(repeated.repeat(60_000 / repeated.length))
      const pour = () => {
        while (!socket.destroyed && socket.write(data));
      }
      socket.on('drain', pour).write(first)
      pour()
    })
  }).listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.once('disconnect', () => process.exit())
}
