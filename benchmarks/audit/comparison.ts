import { median, round } from '../report/statistics.ts'
import type { Table } from '../report/table.ts'
import { type Cost, DATABASES } from './world.ts'

/** Only shows that it works, with few rows, and writes nothing. */
export const quick = process.argv.includes('--quick')
export const plan = quick
  ? { rounds: 1, writes: 50, pages: 10, few: 1_000, many: 20_000 }
  : { rounds: 3, writes: 200, pages: 100, few: 10_000, many: 10_000_000 }
/** One of them with `--SQLite` or `--PostgreSQL`. */
const chosen = DATABASES.filter((database) => process.argv.includes(`--${database}`))
export const databases = chosen.length > 0 ? chosen : DATABASES

const started = performance.now()
export const say = (text: string) => process.stdout.write(`${text}\n`)
export const report = (text: string) =>
  say(`${String(Math.round((performance.now() - started) / 1_000)).padStart(4)} s  ${text}`)

export interface Comparison {
  name: string
  /** Medians over the rounds, of the service and PostgreSQL together, in microseconds. */
  base: number
  other: number
  /** The median of the ratios within the rounds. */
  ratio: number
  lowest: number
  highest: number
}

type Pair = Record<'base' | 'other', Cost>

export const total = ({ service, database }: Cost) => service + database

function compare(name: string, pairs: Pair[]): Comparison {
  const ratios = pairs.map(({ base, other }) => total(other) / total(base))
  return {
    name,
    base: round(median(pairs.map(({ base }) => total(base)))),
    other: round(median(pairs.map(({ other }) => total(other)))),
    ratio: round(median(ratios), 2),
    lowest: round(Math.min(...ratios), 2),
    highest: round(Math.max(...ratios), 2),
  }
}

/** In rounds, so that other work on the machine affects both; the first one only warms up. */
export async function inRounds(
  names: string[],
  measure: (name: string, turn: number) => Promise<Pair>
) {
  const pairs = new Map<string, Pair[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn <= plan.rounds; turn++) {
    for (const name of names) {
      const pair = await measure(name, turn)
      if (turn > 0) pairs.get(name)!.push(pair)
    }
    report(`Round ${turn} of ${plan.rounds}`)
  }
  return [...pairs].map(([name, all]) => compare(name, all))
}

export const comparisonTable = (
  title: string,
  names: [string, string],
  rows: Comparison[]
): Table => ({
  head: [title, ...names.map((name) => `${name}, µs`), 'ratio', 'lowest to highest'],
  rows: rows.map(({ name, base, other, ratio, lowest, highest }) => [
    name,
    base,
    other,
    ratio,
    `${lowest} to ${highest}`,
  ]),
})
