import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuOf } from '../world/process_cpu.ts'
import { productionSettings } from '../world/concierge.ts'
import { writeResults } from '../report/results.ts'
import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'

/** `npm run benchmark:start`, see README.md. `--quick` starts it once, and writes nothing. */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 1 : 9
const REST_MS = 5_000
const POLL_MS = 10
const LONGEST_START_MS = 60_000

const project = new URL('../../', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'concierge-start-'))

type Part = 'parent' | 'worker'
const PARTS: Part[] = ['parent', 'worker']

interface Process {
  cpuMs: number
  /** Resident memory in MiB; `share` divides what several processes share among them. */
  resident: number
  share: number
}

interface Sample extends Record<Part, Process> {
  readyMs: number
}

async function start(): Promise<Sample> {
  const settings = await productionSettings()
  const startedAt = performance.now()
  const parent = spawn(process.execPath, ['bin/main.js'], {
    cwd: new URL('build/', project),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      TZ: 'UTC',
      SQLITE_PATH: join(folder, 'concierge.sqlite3'),
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await untilReady(`http://127.0.0.1:${settings.PORT}/api/health/ready`, parent)
    const readyMs = performance.now() - startedAt
    const pids = { parent: parent.pid!, worker: childOf(parent.pid!) }
    const cpu = { parent: cpuOf([pids.parent]), worker: cpuOf([pids.worker]) }
    await sleep(REST_MS)
    const measured = (part: Part) => ({ cpuMs: cpu[part] / 1_000, ...memoryOf(pids[part]) })
    return { readyMs, parent: measured('parent'), worker: measured('worker') }
  } finally {
    const exited = once(parent, 'exit')
    if (parent.exitCode === null && parent.kill('SIGTERM')) await exited
  }
}

async function untilReady(url: string, parent: ChildProcess) {
  const deadline = performance.now() + LONGEST_START_MS
  while (parent.exitCode === null && performance.now() < deadline) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await sleep(POLL_MS)
  }
  throw new Error(`The service did not become ready (exit code ${parent.exitCode})`)
}

const childOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

function memoryOf(pid: number) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)![1]) / 1_024
  return { resident: mebibytes('Rss'), share: mebibytes('Pss') }
}

try {
  const build = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(project),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (build.status !== 0) throw new Error('The build failed')
  await start() // Migrates the database.

  const samples: Sample[] = []
  for (let done = 0; done < ROUNDS; done++) samples.push(await start())
  const figure = (read: (sample: Sample) => number, digits = 0) =>
    round(median(samples.map(read)), digits)
  const readySeconds = figure(({ readyMs }) => readyMs / 1_000, 2)
  const targets = [
    atMost('Start to ready, wall time: seconds', 1, readySeconds),
    atMost(
      'Resident memory at rest, worker: MiB',
      110,
      figure(({ worker }) => worker.resident)
    ),
  ]
  const table: Table = {
    head: ['Process', 'CPU ms until ready', 'resident MiB', 'MiB, shared memory divided'],
    rows: PARTS.map((part) => [
      part,
      figure((sample) => sample[part].cpuMs),
      figure((sample) => sample[part].resident),
      figure((sample) => sample[part].share),
    ]),
  }
  process.stdout.write(`\n${[table, targetTable(targets)].map(markdownTable).join('\n\n')}\n`)
  if (!quick) writeResults(import.meta.url, { targets, tables: [table], details: { ROUNDS } })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
