import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TestIssuer } from '#tests/world/issuer'
import { writeResults } from '../report/results.ts'
import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'
import { forkFile, forkSink, nextMessage, stop } from '../world/processes.ts'
import { costOfSingles } from '../delivery/measure.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { type Service, mailSettings, settingsFor } from '../delivery/world.ts'

/**
 * `npm run benchmark:inbox-streams`, see README.md. `--quick` only shows that it works, and writes
 * nothing.
 */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 1 : 3
const SENDS = quick ? 50 : 1_000
const STREAMS = quick ? 100 : 5_000
/** Until the first heartbeats. */
const SETTLE_MS = quick ? 500 : 5_000
/** As long as a round of heartbeats, so that the cost of exactly one is in it. */
const IDLE_MS = quick ? 500 : 15_000

const started = performance.now()
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) =>
  say(`${String(Math.round((performance.now() - started) / 1_000)).padStart(4)} s  ${text}`)

const folder = mkdtempSync(join(tmpdir(), 'concierge-inbox-streams-'))
const file = join(folder, 'inbox.sqlite3')
const issuer = await new TestIssuer().start()
const sink = forkSink()
const { port: sinkPort } = await nextMessage<{ port: number }>(sink, 'ready')
const child = forkFile(new URL('server.ts', import.meta.url), {
  ...(await settingsFor(issuer.url)),
  ...mailSettings(sinkPort),
  SQLITE_PATH: file,
  // All clients have one address, which may use a quarter.
  MAX_CONNECTIONS: '30000',
})
const { port } = await nextMessage<{ port: number }>(child, 'ready')
const url = `http://127.0.0.1:${port}`
const service: Service = { database: 'SQLite', child, url, file, large: false }
const followers = forkFile(new URL('followers.ts', import.meta.url))
await nextMessage(followers, 'ready')

/** The first thousand are the recipients of all sends. */
const tokens = await Promise.all(
  Array.from({ length: STREAMS }, (_, index) => issuer.token(`person-${index}@acme.example`))
)

/** What is in use after a garbage collection. */
async function liveMiB() {
  const reply = nextMessage<{ bytes: number }>(child, 'memory')
  child.send('memory')
  return (await reply).bytes / 1_048_576
}

/** Each user asks for their unread count. */
async function visitAll() {
  const left = tokens.values()
  const visitor = async () => {
    for (const token of left) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/api/profile/me/notifications/inbox/unread-count`, {
        headers,
      })
      await response.json()
    }
  }
  await Promise.all(Array.from({ length: 20 }, visitor))
}

async function openStreams() {
  followers.send({ kind: 'follow', url, tokens })
  await nextMessage(followers, 'following')
}

async function closeStreams() {
  followers.send({ kind: 'leave' })
  await nextMessage(followers, 'left')
  await pause(1_000)
}

async function received() {
  followers.send({ kind: 'count' })
  const { notifications, heartbeats } = await nextMessage<{
    notifications: number
    heartbeats: number
  }>(followers, 'counted')
  return { notifications, heartbeats }
}

/** CPU time while nobody sends, in milliseconds per second. */
async function costOfIdling() {
  const before = cpuOf([child.pid!])
  await pause(IDLE_MS)
  return (cpuOf([child.pid!]) - before) / IDLE_MS
}

const costOfSends = async () => (await costOfSingles({ sink }, service, SENDS)).own

try {
  // Creates the records of all users, so that only the streams are measured.
  await visitAll()
  await costOfSends()
  const empty = await liveMiB()
  report(`${empty.toFixed(0)} MiB`)
  await openStreams()
  report(`${STREAMS} streams`)
  await costOfSends()
  await closeStreams()
  await costOfSends()
  const before = await received()
  const rounds: Record<'idle' | 'without' | 'idleWith' | 'with' | 'memory', number>[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const idle = await costOfIdling()
    const without = await costOfSends()
    await openStreams()
    await pause(SETTLE_MS)
    const memory = (await liveMiB()) - empty
    const idleWith = await costOfIdling()
    rounds.push({ idle, without, idleWith, with: await costOfSends(), memory })
    await closeStreams()
    report(
      `Round ${turn + 1}: ${Object.values(rounds.at(-1)!)
        .map((value) => value.toFixed(0))
        .join(', ')}`
    )
  }
  const after = await received()
  const middle = (pick: (each: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const memory = Math.max(...rounds.map((each) => each.memory))
  const targets = [
    atMost('Memory of 5,000 streams, MiB', 150, memory),
    atMost(
      'CPU of a send with 5,000 streams, to without',
      1.1,
      middle((one) => one.with / one.without)
    ),
  ]
  const table: Table = {
    head: ['Figure', 'measured'],
    rows: [
      ['CPU of a send without streams, µs', round(middle(({ without }) => without))],
      ['CPU of a send with streams, µs', round(middle((each) => each.with))],
      [
        'CPU without streams or sends, ms per second',
        round(
          middle(({ idle }) => idle),
          1
        ),
      ],
      [
        'CPU of streams without sends, ms per second',
        round(
          middle(({ idleWith }) => idleWith),
          1
        ),
      ],
      ['memory of the process before, MiB', round(empty, 1)],
      ['memory of the streams, MiB, highest', round(memory, 1)],
      ['messages that arrived on streams', after.notifications - before.notifications],
      ['of', ROUNDS * SENDS * Math.min(1, STREAMS / 1_000)],
      ['heartbeats', after.heartbeats - before.heartbeats],
    ],
  }
  for (const each of [table, targetTable(targets)]) say(`\n${markdownTable(each)}`)
  if (!quick) writeResults(import.meta.url, { targets, tables: [table], details: { rounds } })
} finally {
  await Promise.all([stop(followers), stop(child), stop(sink), issuer.stop()])
  rmSync(folder, { recursive: true, force: true })
}
