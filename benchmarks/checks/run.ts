import { availableParallelism } from 'node:os'
import { writeResults } from '../report/results.ts'
import { markdownTable, targetTable } from '../report/table.ts'
import { requireAgreement } from './agreement.ts'
import { candidatesOf } from './candidates.ts'
import { figuresOf } from './figures.ts'
import { CONNECTIONS, type Plan, measureAll } from './measure.ts'
import { forkLoad, nextMessage, stop } from '../world/processes.ts'
import { countQueries } from './query_counts.ts'
import { figureTable } from './table.ts'
import { disturbanceOf, targetsOf } from './targets.ts'
import { Workload } from '../world/workload.ts'
import { startWorld } from './worlds.ts'

/**
 * `npm run benchmark:checks`, see README.md. `--quick` only shows that it works: its figures are
 * rough and not saved.
 */
const quick = process.argv.includes('--quick')
const FULL: Plan = { rounds: 7, warmUpSeconds: 0.4, firstWarmUpSeconds: 2, seconds: 1.2 }
const QUICK: Plan = { rounds: 1, warmUpSeconds: 0.4, firstWarmUpSeconds: 0.6, seconds: 0.6 }
const USERS = 1_000
const LARGE = 100

const started = performance.now()
const elapsed = () => Math.round((performance.now() - started) / 1_000)
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) => say(`${String(elapsed()).padStart(3)} s  ${text}`)

report('Starting the servers')
const plan = quick ? QUICK : FULL
const world = await startWorld(new Workload(USERS), new Workload(USERS * LARGE))
const load = forkLoad()
await nextMessage(load, 'ready')

try {
  const candidates = candidatesOf(world)
  const decisions = await requireAgreement(candidates)
  report(`All agree on ${decisions} decisions`)
  const samples = await measureAll(candidates, load, plan, report)
  const figures = figuresOf(candidates, samples, await countQueries(candidates))
  const targets = targetsOf(figures, samples)
  const disturbance = disturbanceOf(samples, availableParallelism())
  const table = figureTable(figures)

  say(`\n${markdownTable(table)}\n\n${markdownTable(targetTable(targets))}\n`)
  say(
    `${disturbance * 100} % of the machine went to other things meanwhile (median). ${elapsed()} s`
  )
  if (!quick) {
    const details = { plan, connections: CONNECTIONS, seconds: elapsed(), disturbance, decisions }
    writeResults(import.meta.url, { targets, tables: [table], details: { ...details, figures } })
  }
} finally {
  await stop(load)
  await world.stop()
}
