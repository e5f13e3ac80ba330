import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '#tests/helpers/eventually'
import { createServer } from '#tests/world/embedded_postgres'
import { freePort } from '#tests/world/free_port'

/** A PostgreSQL of a test's own that can be stopped the hard way and started again on the same files. */
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

  /**
   * Stands still with all its sessions: it keeps their connections and takes new ones, and says
   * nothing.
   */
  freeze() {
    const server = this.#pid
    process.kill(server, 'SIGSTOP')
    for (const session of childrenOf(server)) process.kill(session, 'SIGSTOP')
  }

  thaw() {
    const server = this.#pid
    for (const pid of [...childrenOf(server), server]) process.kill(pid, 'SIGCONT')
  }

  /** Immediate shutdown: every session is cut off, nothing is written down any more. */
  async crash() {
    const pid = this.#pid
    process.kill(pid, 'SIGQUIT')
    await eventually('the server has ended', () => !isRunning(pid))
  }

  get #pid() {
    return Number(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  /** Resolves once it has recovered and takes connections. */
  async startAgain() {
    await this.#server.start()
  }
}

function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid)
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
