import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '#tests/helpers/eventually'
import { createServer } from '#tests/world/embedded_postgres'
import { freePort } from '#tests/world/free_port'
import { childrenOf, isRunning } from '#tests/world/process_tree'

/** A PostgreSQL server that a test can crash and restart on the same files. */
export class CrashingPostgres {
  readonly #folder = join(tmpdir(), `concierge-pg-${randomBytes(6).toString('hex')}`)
  #server!: Awaited<ReturnType<typeof createServer>>['server']
  url = ''
  stop!: () => Promise<void>

  static async start(): Promise<CrashingPostgres> {
    const postgres = new CrashingPostgres()
    const { server, stop, url } = await createServer(postgres.#folder, await freePort())
    Object.assign(postgres, { url, stop })
    postgres.#server = server
    await postgres.#server.start()
    return postgres
  }

  /** Suspends the server: it keeps and accepts connections but does not respond. */
  freeze() {
    const server = this.#pid
    process.kill(server, 'SIGSTOP')
    for (const session of childrenOf(server)) process.kill(session, 'SIGSTOP')
  }

  thaw() {
    const server = this.#pid
    for (const pid of [...childrenOf(server), server]) process.kill(pid, 'SIGCONT')
  }

  /** Shuts down immediately: sessions are cut off and nothing is flushed. */
  async crash() {
    const pid = this.#pid
    process.kill(pid, 'SIGQUIT')
    await eventually('the server has ended', () => !isRunning(pid))
  }

  get #pid() {
    return Number(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  async startAgain() {
    await this.#server.start()
  }
}
