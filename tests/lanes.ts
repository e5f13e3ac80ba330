import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectPath } from '#core/process/root'
import type { Seen } from '#tests/helpers/coverage'

export type Database = 'sqlite' | 'pg'

interface Aggregates {
  passed: number
  failed: number
  regression: number
  skipped: number
  todo: number
  total: number
}

/** A test or hook that failed, or an error outside of both. */
export interface Failure {
  title: string
  /** As an error is printed, with its stack. */
  error: string
  /** Such as `tests/unit/tests/lanes.spec.ts`; unknown outside of tests. */
  file?: string
}

/** What a lane leaves in a file when it ends. */
export interface Summary {
  aggregates: Aggregates
  failures: Failure[]
  seen: Seen
}

/** A lane that has ended. */
export interface Run extends Summary {
  lane: Lane
  /** Exit code of its process. */
  code: number
}

/** Test files that one process runs, one after another. */
export interface Lane {
  title: string
  /** Undefined for tests that need none. */
  database?: Database
  /** Whether the results hold for both databases. */
  isStandalone?: boolean
  files: string[]
}

/** More processes than cores are not faster, and make tests with time limits fail. */
const LANES_PER_DATABASE = Math.max(1, Math.floor(availableParallelism() / 2))
/** One more than there are cores, because every lane waits some of the time. */
export const LANES_AT_ONCE = availableParallelism() + 1

/** The suite that runs without a database, once. */
const UNIT = 'unit'
const SUITES = [UNIT, 'functional', 'security', 'contract']
const NO_DATABASE = 'no database'
const EITHER_DATABASE = 'either database'
/** A folder of tests that do not depend on the database: they run once, on one of the two. */
const STANDALONE = /\/standalone\//
const TITLES = { sqlite: 'SQLite', pg: 'PostgreSQL' }

/** Seconds on an idle machine, of the files that take much longer than most. */
const SLOW: Record<string, number> = {
  'functional/access_matrix': 40,
  'functional/broadcasts/crashes': 30,
  'functional/checks/explain_oracle': 5,
  'functional/checks/oracle': 15,
  'functional/command_line/standalone/broadcast': 37,
  'functional/command_line/standalone/login': 18,
  'functional/command_line/standalone/output': 18,
  'functional/command_line/scenario': 13,
  'functional/command_line/standalone/settings': 13,
  'functional/commands/broadcast_commands': 26,
  'functional/commands/identity_commands': 20,
  'functional/commands/idp_reconcile': 40,
  'functional/commands/idp_setup_provider': 25,
  'functional/commands/make_module': 110,
  'functional/core/database_crash': 30,
  'functional/core/database_down': 30,
  'functional/core/hostile_bodies': 20,
  'functional/core/ids': 10,
  'functional/core/production': 20,
  'functional/core/standalone/shutdown': 15,
  'functional/start/standalone/development_start': 10,
  'unit/auth/issuer': 12,
  'unit/core/errors_reference': 5,
  'unit/core/network/outbound': 5,
  'unit/core/openapi': 25,
  'unit/notifications/preparation_pool': 9,
}
const USUAL = 2

/** Imported by tests that start other processes, such as the service or a command. */
const STARTS_PROCESSES =
  /'#tests\/(?:world\/(?:production_)?service|world\/embedded_postgres|helpers\/(?:ace|command_line|own_database|production_copy|project_copy|reconciliation))'/

/** Options of the test runner that select tests and have a value. */
const SELECTING = ['files', 'tests', 'groups', 'tags']
const OTHERS_WITH_VALUE = ['timeout', 'retries', 'reporters', 'bail-layer']

/**
 * Tests of the inner loop: fast ones on SQLite only, without attacks and generated requests. There
 * is no second database to share the cores with.
 */
export function planQuickLanes(): Lane[] {
  const isQuick = (file: string) =>
    secondsOf(file) === USUAL &&
    !STANDALONE.test(file) &&
    !STARTS_PROCESSES.test(readFileSync(join(projectPath(), file), 'utf8'))
  const [unit, functional] = [UNIT, 'functional'].map((suite) => filesOf(suite).filter(isQuick))
  return [
    { title: NO_DATABASE, files: unit },
    ...lanesOn('sqlite', functional, availableParallelism()),
  ]
}

/**
 * How to divide what the arguments of the test runner select. A selection of tests is not worth
 * dividing.
 */
export function planLanes(args: string[], databases: Database[]): Lane[] {
  const { suites, isSelection } = read(args)
  const unit = suites.includes(UNIT) ? filesOf(UNIT) : []
  const others = suites.filter((suite) => suite !== UNIT).flatMap(filesOf)
  const standalone = others.filter((file) => STANDALONE.test(file))
  const dependent = others.filter((file) => !STANDALONE.test(file))
  const lanes = databases.flatMap((database) =>
    lanesOn(database, dependent, isSelection ? 1 : LANES_PER_DATABASE)
  )
  const [first, ...rest] = lanes
  if (isSelection && first) {
    return [{ ...first, files: [...unit, ...standalone, ...first.files] }, ...rest]
  }
  return [
    ...lanes,
    { title: EITHER_DATABASE, database: databases[0], isStandalone: true, files: standalone },
    { title: NO_DATABASE, files: unit },
  ].filter(({ files }) => files.length > 0)
}

/** More failing files than this are no coincidence, and are not run again. */
const MOST_REPEATED_FILES = 5

/**
 * The files in which tests failed, to run them again with nothing beside them. Empty if a failure
 * belongs to no file, because that one cannot be repeated, or if too many files failed.
 */
export function planRepetition(runs: Run[]): Lane[] {
  const failed = runs.filter(({ code }) => code !== 0)
  const lanes = failed.map(({ lane, failures }) => ({
    ...lane,
    title: `${lane.title}, once more`,
    files: lane.files.filter((name) => failures.some(({ file }) => file === name)),
  }))
  const isRepeatable = failed.every(
    ({ failures }) => failures.length > 0 && failures.every(({ file }) => file)
  )
  const count = lanes.reduce((sum, { files }) => sum + files.length, 0)
  return isRepeatable && count <= MOST_REPEATED_FILES ? lanes : []
}

const filesOf = (suite: string) =>
  globSync(`tests/${suite}/**/*.spec.ts`, { cwd: projectPath() }).sort()

function lanesOn(database: Database, files: string[], count: number): Lane[] {
  return divided(files, count).map((part, index, parts) => {
    const number = parts.length > 1 ? ` (${index + 1} of ${parts.length})` : ''
    return { title: `${TITLES[database]}${number}`, database, files: part }
  })
}

function read(args: string[]) {
  const withValue = { type: 'string', multiple: true } as const
  const options = [...SELECTING, ...OTHERS_WITH_VALUE].map((name) => [name, withValue] as const)
  const { values, positionals } = parseArgs({
    args,
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
  })
  return {
    suites: positionals.length > 0 ? SUITES.filter((suite) => positionals.includes(suite)) : SUITES,
    isSelection: SELECTING.some((name) => name in values),
  }
}

/** The slowest file goes first, to the part that has the least to do; empty parts are left out. */
function divided(files: string[], count: number): string[][] {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }))
  const bySeconds = files.toSorted((one, other) => secondsOf(other) - secondsOf(one))
  for (const file of bySeconds) {
    const [least] = parts.toSorted((one, other) => one.seconds - other.seconds)
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return parts.filter((part) => part.files.length > 0).map((part) => part.files)
}

const secondsOf = (file: string) =>
  SLOW[file.replace(/^tests\//, '').replace(/\.spec\.ts$/, '')] ?? USUAL
