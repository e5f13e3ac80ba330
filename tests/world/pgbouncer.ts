import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eventually } from '#tests/helpers/eventually'
import { freePort } from '#tests/world/free_port'

/** Debian installs it where only root looks for programs. */
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin'].join(delimiter) }
const [, major, minor] =
  /^PgBouncer (\d+)\.(\d+)/.exec(
    spawnSync('pgbouncer', ['--version'], { env }).stdout?.toString() ?? ''
  ) ?? []

export const isInstalled = major !== undefined
export const supportsNamedStatements = Number(major) > 1 || Number(minor) >= 21

/** In transaction mode, with fewer sessions than a process of the service has connections. */
export async function startPgBouncer(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-pgbouncer-'))
  await chmod(folder, 0o755)
  const [server, pooled] = [new URL(databaseUrl), new URL(databaseUrl)]
  pooled.port = String(await freePort())
  const users = join(folder, 'users.txt')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${server.username}" "${server.password}"\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port || 5432}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${pooled.port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'default_pool_size = 3',
      'max_client_conn = 200',
      ...(supportsNamedStatements ? ['max_prepared_statements = 200'] : []),
    ].join('\n')
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...asUser, file], { env, stdio: 'ignore' })
  process.on('exit', () => child.kill('SIGKILL'))
  await eventually('PgBouncer accepts connections', () => accepts(child, Number(pooled.port)))
  return {
    url: pooled.href,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

async function accepts(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error('PgBouncer has ended')
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
