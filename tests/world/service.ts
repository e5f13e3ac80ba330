import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { projectPath } from '#start/root'
import { eventually } from '#tests/helpers/eventually'
import type { Answer } from '#tests/world/answers'
import { freePort } from '#tests/world/free_port'

/** Environment variables; undefined unsets what the tests' own process has. */
export type ServiceSettings = Record<string, string | undefined>

export interface RunningService {
  url: string
  process: ChildProcess
  /** What it has written to stdout and stderr so far. */
  output: () => string
  /** Ends it as an operator would and answers its exit code. */
  stop: () => Promise<number | null>
}

/** Emits `answer` for everything that one of these services has answered. */
export const services = new EventEmitter<{ answer: [Answer] }>()

const ONE_PROCESS = 'bin/server.ts'
const TYPESCRIPT = '--import=@poppinss/ts-exec'
const TELLING = '--import=./tests/world/tell_answers.ts'
const START_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 15_000
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/**
 * Another real process of the service, beside the one under test: same issuer, keys and secrets, a port and an SQLite
 * file of its own. `DATABASE_URL` among the settings puts it on that PostgreSQL.
 *
 * @throws Error with its output when it does not become ready
 *
 * @example
 * const service = await startService({ RATE_LIMIT_TOKEN: '3' })
 * cleanup(() => service.stop())
 */
export async function startService(
  settings: ServiceSettings = {},
  entry = ONE_PROCESS
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-service-'))
  const url = `http://127.0.0.1:${settings.PORT ?? (await freePort())}`
  // The parent of workers answers nothing itself; what is compiled needs no help.
  const imports = entry === ONE_PROCESS ? [TYPESCRIPT, TELLING] : [TYPESCRIPT]
  if (entry.endsWith('.js')) imports.length = 0
  const child = spawn(process.execPath, [...imports, entry], {
    cwd: projectPath(),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: new URL(url).port,
      APP_URL: url,
      DB_CONNECTION: settings.DATABASE_URL ? 'pg' : 'sqlite',
      DATABASE_URL: undefined,
      SQLITE_PATH: join(folder, 'service.sqlite3'),
      ...settings,
    },
  })
  tellAnswers(child)
  running.add(child)
  const exited = once(child, 'exit').finally(() => running.delete(child))
  const output = collectOutput(child)
  const stop = async () => {
    const killing = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    child.kill('SIGTERM')
    await exited
    clearTimeout(killing)
    rmSync(folder, { recursive: true, force: true })
    return child.exitCode
  }
  try {
    await eventually('the service is ready', () => isReady(child, url), START_WITHIN_MS)
  } catch (error) {
    await stop()
    throw new Error(`The service did not start: ${output()}`, { cause: error })
  }
  return { url, process: child, output, stop }
}

/** @throws Error when the process has ended, which waiting will not mend */
async function isReady(child: ChildProcess, url: string) {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('It has ended')
  const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok === true
}

/** Lines of JSON; the last one of a process that was killed may lack its end. */
function tellAnswers({ stdio }: ChildProcess) {
  let rest = ''
  ;(stdio[3] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) services.emit('answer', JSON.parse(line) as Answer)
  })
}

function collectOutput(child: ChildProcess) {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return () => text
}
