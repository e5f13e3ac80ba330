import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createConcierge } from '@concierge/client'
import type { RunResult } from '../world/load.ts'
import { median, round } from '../report/statistics.ts'
import { fillSqlite } from '../world/fill.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { forkFile, forkLoad, nextMessage, stop } from '../world/processes.ts'
import { Workload, applicationCode, emailOf, permissionCode } from '../world/workload.ts'
import { INTERNAL_KEY, startConcierge } from '../world/concierge.ts'
import { writeResults } from '../report/results.ts'
import { markdownTable, targetTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'
import { type Question, aWarmNearCache, askInTurn, cpuPerCheck } from './hits.ts'

/**
 * `npm run benchmark:near-cache`, see README.md. `--quick` only shows that it works, and writes
 * nothing.
 */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 1 : 7
const SECONDS = quick ? 1 : 6
const WARM_UP_SECONDS = quick ? 1 : 2
const HITS = quick ? 10_000 : 1_000_000
const REQUESTS = quick ? 100 : 2_000
const FOLLOWERS = quick ? 50 : 1_000
const CHANGES_PER_SECOND = 10
const CONNECTIONS = 10
const USERS = 1_000
const QUESTIONS = 4_000

const started = performance.now()
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) =>
  say(`${String(Math.round((performance.now() - started) / 1_000)).padStart(4)} s  ${text}`)

const questions: Question[] = Array.from({ length: QUESTIONS }, (_, index) => ({
  email: emailOf(index % USERS),
  app: applicationCode(index % 10),
  permission: permissionCode(index % 97),
}))

const folder = mkdtempSync(join(tmpdir(), 'concierge-near-cache-'))
const path = join(folder, 'near.sqlite3')
const settings = { SQLITE_PATH: path, RATE_LIMIT_INTERNAL: '0', RATE_LIMIT_CHECK: '0' }
const server = await startConcierge(settings, new URL('servers/concierge.ts', import.meta.url))
fillSqlite(path, new Workload(USERS))
const load = forkLoad()
const followers = forkFile(new URL('followers.ts', import.meta.url))
await Promise.all([nextMessage(load, 'ready'), nextMessage(followers, 'ready')])
load.send({
  kind: 'define',
  id: 'checks',
  url: server.url,
  path: '/api/check',
  bodies: questions.map((question) => JSON.stringify(question)),
})

async function runLoad(seconds: number): Promise<number> {
  load.send({ kind: 'run', id: 'checks', connections: CONNECTIONS, seconds })
  const { answered, failed } = await nextMessage<RunResult>(load, 'result')
  if (failed > 0) throw new Error(`${failed} checks failed`)
  return answered
}

/** Microseconds of the service's CPU time per cached check, at full load. */
async function costOfCheck(changesPerSecond: number): Promise<number> {
  // What opening or closing streams left behind is not measured.
  await runLoad(WARM_UP_SECONDS)
  const change = () => server.child.send({ kind: 'change' })
  const changing = changesPerSecond > 0 && setInterval(change, 1_000 / changesPerSecond)
  const before = cpuOf([server.pid])
  const answered = await runLoad(SECONDS)
  if (changing) clearInterval(changing)
  return (cpuOf([server.pid]) - before) / answered
}

async function openStreams() {
  followers.send({ kind: 'follow', url: server.url, key: INTERNAL_KEY, count: FOLLOWERS })
  await nextMessage(followers, 'following')
}

async function closeStreams() {
  followers.send({ kind: 'leave' })
  await nextMessage(followers, 'left')
  await pause(500)
}

const residentMiB = () => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024
}

/** What the followers have received in all rounds. */
async function counted() {
  followers.send({ kind: 'count' })
  const { heartbeats, changes } = await nextMessage<{ heartbeats: number; changes: number }>(
    followers,
    'counted'
  )
  return { heartbeats, changes }
}

async function measureHits() {
  const near = await aWarmNearCache(server.url, questions)
  const far = createConcierge({ url: server.url })
  const hits: number[] = []
  const requests: number[] = []
  const served: number[] = []
  await askInTurn(near, questions, HITS / 5)
  await askInTurn(far, questions, REQUESTS / 5)
  await costOfCheck(0)
  const { misses } = near.nearCache!
  for (let done = 0; done < ROUNDS; done++) {
    hits.push(await cpuPerCheck(HITS, () => askInTurn(near, questions, HITS)))
    requests.push(await cpuPerCheck(REQUESTS, () => askInTurn(far, questions, REQUESTS)))
    served.push(await costOfCheck(0))
    report(
      `Hits, round ${done + 1}: ${[hits, requests, served].map((all) => all.at(-1)!.toFixed(2)).join(', ')} µs`
    )
  }
  if (near.nearCache!.misses > misses) throw new Error('Not all of them were hits')
  near.close()
  return { hits, requests, served }
}

async function measureStreams() {
  const costs = {
    quiet: [] as number[],
    quietFollowed: [] as number[],
    changing: [] as number[],
    changingFollowed: [] as number[],
  }
  const memory: number[] = []
  for (let done = 0; done < ROUNDS; done++) {
    const measureAlone = async () => {
      costs.quiet.push(await costOfCheck(0))
      costs.changing.push(await costOfCheck(CHANGES_PER_SECOND))
    }
    const measureFollowed = async () => {
      const before = residentMiB()
      await openStreams()
      costs.quietFollowed.push(await costOfCheck(0))
      costs.changingFollowed.push(await costOfCheck(CHANGES_PER_SECOND))
      memory.push(residentMiB() - before)
      await closeStreams()
    }
    if (done % 2 === 0) await measureAlone()
    await measureFollowed()
    if (done % 2 === 1) await measureAlone()
    const last = Object.values(costs).map((all) => all.at(-1)!.toFixed(1))
    report(`Streams, round ${done + 1}: ${last.join(', ')} µs, ${memory.at(-1)!.toFixed(1)} MiB`)
  }
  return { costs, memory }
}

try {
  // The first streams load code.
  await openStreams()
  await closeStreams()
  const { hits, requests, served } = await measureHits()
  const { costs, memory } = await measureStreams()
  const ratio = (followed: number[], alone: number[]) =>
    round(median(followed.map((cost, index) => cost / alone[index])), 3)
  const hit = median(hits)
  const figures = {
    'near cache hit, CPU µs of the caller': round(hit, 3),
    'hits per CPU second': round(1_000_000 / hit),
    'check by HTTP, CPU µs of the caller': round(median(requests), 1),
    'check by HTTP, CPU µs of the service': round(median(served), 1),
    'checks by HTTP per CPU second of the service': round(1_000_000 / median(served)),
    'cached check without streams, µs': round(median(costs.quiet), 1),
    'cached check with streams, µs': round(median(costs.quietFollowed), 1),
    'the same with ten changes a second, without streams, µs': round(median(costs.changing), 1),
    'the same with ten changes a second, with streams, µs': round(
      median(costs.changingFollowed),
      1
    ),
    'memory of the streams, MiB, each round': memory.map((one) => round(one, 1)).join(' '),
    ...(await counted()),
  }
  const targets = [
    atMost('Near cache hit, CPU µs', 2, figures['near cache hit, CPU µs of the caller']),
    atMost('Cached check with streams to without', 1.1, ratio(costs.quietFollowed, costs.quiet)),
    atMost(
      'The same with ten changes a second',
      1.1,
      ratio(costs.changingFollowed, costs.changing)
    ),
    atMost('Memory of the streams, MiB, highest', 100, round(Math.max(...memory), 1)),
  ]
  const table = { head: ['Figure', 'measured'], rows: Object.entries(figures) }
  for (const each of [table, targetTable(targets)]) say(`\n${markdownTable(each)}`)
  if (!quick) writeResults(import.meta.url, { targets, tables: [table] })
} finally {
  await Promise.all([stop(load), stop(followers)])
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
