import { type RemoteInfo, createSocket } from 'node:dgram'
import { once } from 'node:events'

const TYPES = { A: 1, AAAA: 28 } as const
/** Of a message of DNS (RFC 1035, section 4.1.1), whose first two bytes are its id. */
const HEADER_LENGTH = 12
const RESPONSE = 0x8180
const NO_SUCH_NAME = 3
/** Points to the name of the question. */
const ANSWER_NAME = [0xc0, HEADER_LENGTH]

export interface NameRecords {
  A?: number[][]
  AAAA?: number[][]
}

/** A name server on loopback (UDP). It never answers questions about names without records. */
export class NameServer {
  readonly #socket = createSocket('udp4')
  readonly #records: Record<string, NameRecords | 'none'>
  questions = 0

  /** @param records by name; `none` for a name that does not exist */
  constructor(records: Record<string, NameRecords | 'none'>) {
    this.#records = records
  }

  async start(): Promise<this> {
    this.#socket.on('message', (message, from) => this.#answer(message, from))
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    return this
  }

  get address() {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  async stop() {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  #answer(message: Buffer, from: RemoteInfo) {
    this.questions += 1
    const { name, end } = nameIn(message)
    const records = this.#records[name]
    if (!records) return
    const type = message.readUInt16BE(end)
    const data = records === 'none' ? [] : dataOf(records, type)
    const head = Buffer.alloc(HEADER_LENGTH)
    message.copy(head, 0, 0, 2)
    head.writeUInt16BE(RESPONSE + (records === 'none' ? NO_SUCH_NAME : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(data.length, 6)
    const question = message.subarray(HEADER_LENGTH, end + 4)
    const answers = data.map((bytes) =>
      Buffer.from([...ANSWER_NAME, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
    )
    this.#socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address)
  }
}

function dataOf(records: NameRecords, type: number): number[][] {
  if (type === TYPES.A) return records.A ?? []
  return type === TYPES.AAAA ? (records.AAAA ?? []) : []
}

/** The name that a message asks about, and where it ends. */
function nameIn(message: Buffer) {
  const labels: string[] = []
  let at = HEADER_LENGTH
  while (message[at] > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]))
    at += message[at] + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}
