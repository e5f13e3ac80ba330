import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { copyEmptyDatabase } from '#tests/world/empty_database'
import type { SeenResponse } from '#tests/world/watch_response'
import { freePort } from '#tests/world/free_port'

/** Environment variables; undefined unsets one. */
export type ServiceSettings = Record<string, string | undefined>

export interface RunningService {
  url: string
  process: ChildProcess
  /** The output so far, of stdout and stderr. */
  output: () => string
  /** Sends SIGTERM and returns the exit code. */
  stop: () => Promise<number | null>
}

/** Emits `response` for every response of these services. */
export const services = new EventEmitter<{ response: [SeenResponse] }>()

const SINGLE_PROCESS = 'bin/server.ts'
const TYPESCRIPT = '--import=@poppinss/ts-exec'
const REPORTING = '--import=./tests/world/report_responses.ts'
const START_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 15_000
/** A process that is busy or hangs is asked again, until it has taken too long to start. */
const ANSWER_WITHIN_MS = 5_000
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/**
 * Starts another process of the service, with its own port and migrated SQLite file, or on
 * `DATABASE_URL`.
 * @throws Error with its output if it does not become ready
 */
export async function startService(
  settings: ServiceSettings = {},
  entry = SINGLE_PROCESS
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-service-'))
  const database = join(folder, 'service.sqlite3')
  copyEmptyDatabase(database)
  const url = `http://127.0.0.1:${settings.PORT ?? (await freePort())}`
  // The parent of workers serves no requests, and compiled code needs no loader.
  const imports = entry === SINGLE_PROCESS ? [TYPESCRIPT, REPORTING] : [TYPESCRIPT]
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
      SQLITE_PATH: database,
      ...settings,
    },
  })
  forwardResponses(child)
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

/** @throws Error if the process has ended */
async function isReady(child: ChildProcess, url: string) {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('The process has ended')
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const response = await fetch(`${url}/api/health/ready`, { signal }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.ok === true
}

/** Reads lines of JSON; a killed process may leave the last one incomplete. */
function forwardResponses({ stdio }: ChildProcess) {
  let rest = ''
  ;(stdio[3] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) services.emit('response', JSON.parse(line) as SeenResponse)
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
