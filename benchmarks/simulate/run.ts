import type { Figure } from '../checks/figures.ts'
import { readResults, writeResults } from '../report/results.ts'
import { round } from '../report/statistics.ts'
import { type Table, markdownTable } from '../report/table.ts'
import { ASSUMED, type Plan, type Routing, costsOf, planFor } from './deployments.ts'

/** `npm run benchmark:simulate`, see README.md. `--quick` writes nothing. */
const LOADS = [10_000, 100_000, 1_000_000]
const ROUTINGS: Routing[] = ['any process', 'by user']

const { figures } = readResults('checks').details as { figures: Figure[] }
const costs = costsOf(figures)
const plans = LOADS.flatMap((checks) => ROUTINGS.map((routing) => planFor(checks, routing, costs)))
const tables = [deploymentTable(plans), breakTable(plans)]
process.stdout.write(`${tables.map(markdownTable).join('\n\n')}\n`)
if (!process.argv.includes('--quick')) {
  writeResults(import.meta.url, { targets: [], tables, details: { costs, assumed: ASSUMED } })
}

function deploymentTable(all: Plan[]): Table {
  return {
    head: [
      'Checks per second, routed to',
      'from the cache',
      'machines',
      'replicas',
      'processes used',
      'p50 ms',
      'p99 ms',
    ],
    rows: all.map(({ hitRate, machines, replicas, used, latency, ...plan }) => [
      nameOf(plan),
      percent(hitRate),
      machines,
      replicas,
      percent(used.processes),
      milliseconds(latency.p50),
      milliseconds(latency.p99),
    ]),
  }
}

/** Each part's limit if nothing is added, and which of them is reached first. */
function breakTable(all: Plan[]): Table {
  return {
    head: ['Checks per second, routed to', 'processes', 'databases', 'commits', 'breaks first'],
    rows: all.map(({ used, ...plan }) => {
      const parts = Object.entries(used)
      const [first] = parts.toSorted(([, one], [, other]) => other - one)[0]
      return [nameOf(plan), ...parts.map(([, share]) => percent(share)), first]
    }),
  }
}

function nameOf({ checks, routing }: Pick<Plan, 'checks' | 'routing'>) {
  return `${checks.toLocaleString('en-GB')}, ${routing}`
}

function percent(share: number) {
  return `${Math.round(share * 100)} %`
}

function milliseconds(seconds: number) {
  return round(seconds * 1_000, 2)
}
