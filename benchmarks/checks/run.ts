import { writeFileSync } from 'node:fs'
import { requireAgreement } from './agreement.ts'
import { candidatesOf } from './candidates.ts'
import { figuresOf } from './figures.ts'
import { describeMachine } from './machine.ts'
import { CONNECTIONS, type Plan, measureAll } from './measure.ts'
import { forkFile, nextMessage, stop } from './processes.ts'
import { countQueries } from './query_counts.ts'
import { figureTable, targetTable } from './table.ts'
import { disturbanceOf, targetsOf } from './targets.ts'
import { Workload } from './workload.ts'
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
const load = forkFile('load.ts')
await nextMessage(load, 'ready')

try {
  const candidates = candidatesOf(world)
  const decisions = await requireAgreement(candidates)
  report(`All agree on ${decisions} decisions`)
  const samples = await measureAll(candidates, load, plan, report)
  const figures = figuresOf(candidates, samples, await countQueries(candidates))
  const targets = targetsOf(figures, samples)
  const machine = describeMachine()
  const disturbance = disturbanceOf(samples, machine.processors)

  say(`\n${figureTable(figures)}\n\n${targetTable(targets)}\n`)
  say(
    `${disturbance * 100} % of the machine went to other things meanwhile (median). ${elapsed()} s`
  )
  if (!quick) {
    const results = {
      at: new Date(),
      machine,
      plan,
      connections: CONNECTIONS,
      seconds: elapsed(),
      disturbance,
    }
    write({ ...results, agreedDecisions: decisions, targets, figures })
  }
} finally {
  await stop(load)
  await world.stop()
}

function write(results: object) {
  const file = new URL('results.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}
