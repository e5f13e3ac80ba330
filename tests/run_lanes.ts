import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '#core/process/root'
import type { Lane, Run, Summary } from '#tests/lanes'
import { type startPostgres, createDatabaseOn } from '#tests/world/postgres'

/** What a run counts that ended before its summary. */
const NOTHING: Summary = {
  aggregates: { passed: 0, failed: 0, regression: 0, skipped: 0, todo: 0, total: 0 },
  failures: [],
  seconds: {},
  seen: { statuses: [], fields: [] },
  filesLeft: [],
}

/** What is kept of compiled code, between runs. */
const CACHE = join(projectPath(), 'node_modules/.cache/tests')
/** One run of all tests needs about half of them. */
const CACHED_FILES = 25_000
const CACHED_TYPESCRIPT = new URL('world/cached_typescript.js', import.meta.url).href
/** A run within a run, such as that of a generated module, brings its own. */
const INHERITED_OPTIONS = (process.env.NODE_OPTIONS ?? '').replace(
  /--import=\S*\/cached_typescript\.js/g,
  ''
)

interface Surroundings {
  /** For what the lanes write. */
  folder: string
  postgres?: Awaited<ReturnType<typeof startPostgres>>
  /** Of the test runner. */
  args: string[]
  /** How many lanes run at the same time. */
  atOnce: number
}

type Where = [index: number, output: 'inherit' | number, surroundings: Surroundings]

/**
 * Empties the cache from time to time: it also has versions and copies that are gone. A run within
 * a run leaves it to the lanes that use it.
 */
export function emptyFullCache() {
  if (process.env.TEST_SUMMARY_FILE) return
  if (!existsSync(CACHE) || readdirSync(CACHE, { recursive: true }).length < CACHED_FILES) return
  rmSync(CACHE, { recursive: true, force: true })
}

/** The first lane writes while it runs, the others when they have ended. */
export async function runLanes(lanes: Lane[], surroundings: Surroundings): Promise<Run[]> {
  const results: Run[][] = []
  const waiting = lanes.entries()
  const runOneByOne = async () => {
    for (const [index, lane] of waiting) {
      const file = join(surroundings.folder, `${index}.txt`)
      const output = index === 0 ? 'inherit' : openSync(file, 'w')
      results[index] = await runToItsEnd(lane, index, output, surroundings)
      if (index > 0) process.stdout.write(readFileSync(file))
    }
  }
  await Promise.all(Array.from({ length: surroundings.atOnce }, runOneByOne))
  return results.flat()
}

/** Several processes, if tests take too long. */
async function runToItsEnd(lane: Lane, ...rest: Where): Promise<Run[]> {
  const run = await runLane(lane, ...rest)
  if (run.filesLeft.length === 0) return [run]
  const next = { ...lane, title: `${lane.title}, continued`, files: run.filesLeft }
  return [run, ...(await runToItsEnd(next, ...rest))]
}

async function runLane(lane: Lane, ...[index, output, surroundings]: Where): Promise<Run> {
  const { folder, postgres, args } = surroundings
  const summary = join(folder, `${index}.json`)
  const title = `\n=== Tests on ${lane.title}\n`
  if (output === 'inherit') process.stdout.write(title)
  else writeSync(output, title)
  rmSync(summary, { force: true })
  const database = lane.database === 'pg' ? await createDatabaseOn(postgres!.url) : undefined
  const child = spawn(
    process.execPath,
    [...(process.env.LANE_FLAGS?.split(' ') ?? []), 'bin/test.ts', ...args],
    {
      cwd: projectPath(),
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        ...(database ? { DATABASE_URL: database.url } : {}),
        ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
        DB_CONNECTION: lane.database ?? 'sqlite',
        // Removed after the run, with whatever the tests leave there.
        TMPDIR: folder,
        TEMP: folder,
        // The tests start the service and its commands some hundred times.
        NODE_COMPILE_CACHE: join(CACHE, 'v8'),
        NODE_OPTIONS: `${INHERITED_OPTIONS} --import=${CACHED_TYPESCRIPT}`,
        TEST_FILES: lane.files.join('\n'),
        TEST_SUMMARY_FILE: summary,
        TEST_WITHOUT_DATABASE: lane.database ? undefined : 'true',
      },
    }
  )
  const code = await new Promise<number>((resolve) =>
    child.on('exit', (exit) => resolve(exit ?? 1))
  )
  await database?.stop()
  return { lane, code, ...(existsSync(summary) ? read(summary) : NOTHING) }
}

function read(summary: string) {
  return JSON.parse(readFileSync(summary, 'utf8')) as Summary
}
