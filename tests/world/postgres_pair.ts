import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { eventually } from '#tests/helpers/eventually'
import { createServer } from '#tests/world/embedded_postgres'
import { freePort } from '#tests/world/free_port'
import { childrenOf, isRunning } from '#tests/world/process_tree'

const STANDBY = 'standby'
/** Killed processes lose nothing that they wrote, because the machine keeps running. */
const FLAGS = ['-c', 'fsync=off', '-c', 'max_connections=100']

/** A PostgreSQL server and a synchronous standby, which can be promoted if the server is killed. */
export class PostgresPair {
  readonly #folder = join(tmpdir(), `concierge-pair-${randomBytes(6).toString('hex')}`)
  #primary!: Server
  #standby!: Server

  static async start(): Promise<PostgresPair> {
    const pair = new PostgresPair()
    const synchronous = ['-c', `synchronous_standby_names=${STANDBY}`]
    pair.#primary = await pair.#create('primary', synchronous)
    await pair.#primary.server.start()
    pair.#standby = await pair.#create(STANDBY)
    await pair.#copyPrimary()
    // The library waits for a message that only a primary writes.
    pair.#standby.server.start().catch(() => {})
    await eventually('the standby follows the primary', () => pair.#isFollowed(), 20_000)
    return pair
  }

  get primaryUrl() {
    return this.#primary.url
  }

  get standbyUrl() {
    return this.#standby.url
  }

  /** Of both, as libpq reads it. */
  get url() {
    const [primary, standby] = [this.#primary, this.#standby].map(({ url }) => new URL(url).host)
    return this.#primary.url.replace(primary, `${primary},${standby}`)
  }

  /** Ends the primary with all its sessions, as a crash of its machine would. */
  async killPrimary() {
    const pid = pidIn(this.#primary.folder)
    const sessions = childrenOf(pid)
    for (const each of [pid, ...sessions]) kill(each, 'SIGKILL')
    await eventually('the primary has ended', () => ![pid, ...sessions].some(isRunning))
    // The library would wait for its end.
    Object.assign(this.#primary.server, { process: undefined })
  }

  /** Suspends what applies changes on the standby, which still receives them. */
  async pauseReplay() {
    await execute(this.standbyUrl, 'select pg_wal_replay_pause()')
    const isPaused = async () => {
      const [row] = await execute(
        this.standbyUrl,
        'select pg_get_wal_replay_pause_state() as state'
      )
      return row.state === 'paused'
    }
    await eventually('the standby pauses', isPaused)
  }

  async resumeReplay() {
    await execute(this.standbyUrl, 'select pg_wal_replay_resume()')
  }

  async promote() {
    await execute(this.standbyUrl, 'select pg_promote()')
  }

  /** Makes the primary refuse writes, on open connections too. */
  async refuseWritesOnPrimary() {
    await execute(this.primaryUrl, 'alter system set default_transaction_read_only = on')
    await execute(this.primaryUrl, 'select pg_reload_conf()')
  }

  async stop() {
    for (const server of [this.#standby, this.#primary]) {
      await server.stop()
      rmSync(server.folder, { recursive: true, force: true })
    }
  }

  async #create(name: string, flags: string[] = []): Promise<Server> {
    const folder = `${this.#folder}-${name}`
    return { folder, ...(await createServer(folder, await freePort(), [...FLAGS, ...flags])) }
  }

  /** What `pg_basebackup` does, which the library does not have. */
  async #copyPrimary() {
    const client = new pg.Client({ connectionString: this.primaryUrl })
    await client.connect()
    await client.query("set synchronous_commit = local; select pg_backup_start('standby', true)")
    const [from, to] = [this.#primary.folder, this.#standby.folder]
    copy(from, to)
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)'
    )
    await client.end()
    copy(join(from, 'pg_wal'), join(to, 'pg_wal'))
    rmSync(join(to, 'postmaster.pid'))
    const { hostname, port, username, password } = new URL(this.primaryUrl)
    const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY}`
    appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
    const { uid, gid } = statSync(to)
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      writeFileSync(join(to, name), text)
      chownSync(join(to, name), uid, gid)
    }
  }

  async #isFollowed() {
    const rows = await execute(this.primaryUrl, 'select sync_state from pg_stat_replication')
    return rows.some(({ sync_state: state }) => state === 'sync')
  }
}

interface Server extends Awaited<ReturnType<typeof createServer>> {
  folder: string
}

/** Replaces a folder by a copy with the same owners. */
function copy(from: string, to: string) {
  rmSync(to, { recursive: true, force: true })
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  // A file that is deleted meanwhile is not needed.
  if (status !== 0 && !stderr.includes('No such file')) throw new Error(stderr)
}

const pidIn = (folder: string) =>
  Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])

function kill(pid: number, signal: NodeJS.Signals) {
  if (isRunning(pid)) process.kill(pid, signal)
}

async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
