import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'

/** What a server knows of the client whose mail it replies to. */
export interface Heard {
  /** The lines of the login, without their line ends */
  login: string[]
  /** The envelope sender */
  from: string
}

type Stage = 'MAIL' | 'RCPT' | 'DATA' | 'END'

/** An SMTP server on loopback whose replies quote what it heard. */
export class QuotingSmtp {
  /** Replies with these lines at a stage; null where it accepts. */
  reply: (stage: Stage, heard: Heard) => string[] | null = () => null
  mechanism = 'PLAIN'
  /** Everything that it was sent after the first DATA of a connection */
  readonly mails: string[] = []
  readonly #sockets = new Set<Socket>()
  #server!: Server

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  async start() {
    this.#server = createServer((socket) => this.#serve(socket)).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: Socket) {
    this.#sockets.add(socket)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
    const heard: Heard = { login: [], from: '' }
    const say = (...lines: string[]) => void socket.write(`${lines.join('\r\n')}\r\n`)
    const react = (stage: Stage, accepted: string) => {
      const lines = this.reply(stage, heard)
      say(...(lines ?? [accepted]))
      return lines === null
    }
    let mail: string[] | null = null
    let questions = 0
    const read = (line: string) => {
      if (mail !== null) {
        if (line !== '.') return void mail.push(line)
        this.mails.push(mail.join('\r\n'))
        mail = null
        return void react('END', '250 2.0.0 Ok')
      }
      if (questions > 0) {
        heard.login.push(line)
        return say(--questions > 0 ? '334 UGFzc3dvcmQ6' : '235 2.7.0 Ok')
      }
      const [verb] = line.toUpperCase().split(/[ :]/)
      if (verb === 'EHLO') return say('250-quoting', `250 AUTH ${this.mechanism}`)
      if (verb === 'AUTH') {
        heard.login.push(line)
        if (this.mechanism === 'PLAIN') return say('235 2.7.0 Ok')
        questions = 2
        return say('334 VXNlcm5hbWU6')
      }
      if (verb === 'MAIL') {
        heard.from = /<(.*?)>/.exec(line)![1]
        return void react('MAIL', '250 2.1.0 Ok')
      }
      if (verb === 'RCPT') return void react('RCPT', '250 2.1.5 Ok')
      if (verb === 'DATA') {
        if (react('DATA', '354 Go ahead')) mail = []
        return
      }
      say('221 2.0.0 Bye')
    }
    let rest = ''
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) read(line)
    })
    say('220 quoting')
  }
}
