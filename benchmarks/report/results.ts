import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describeMachine } from './machine.ts'
import type { Table } from './table.ts'
import type { Target } from './targets.ts'

/** What a run measured: `results.json` in the folder of a benchmark. */
export interface Results {
  targets: Target[]
  tables: Table[]
  /** Anything else about the run, such as its rounds */
  details?: unknown
}

export interface StoredResults extends Results {
  /** When the run ended */
  at: string
  machine: ReturnType<typeof describeMachine>
}

/** @param file `import.meta.url` of the run */
export function writeResults(file: string, results: Results) {
  const stored: StoredResults = {
    at: new Date().toISOString(),
    machine: describeMachine(),
    ...results,
  }
  writeFileSync(new URL('results.json', file), `${JSON.stringify(stored, null, 2)}\n`)
}

/** @param name of the folder */
export const readResults = (name: string) =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as StoredResults

/** The same, or null if nothing was measured yet. */
export const storedResults = (name: string) => (existsSync(fileOf(name)) ? readResults(name) : null)

const fileOf = (name: string) => new URL(`../${name}/results.json`, import.meta.url)
