import { globSync, readFileSync, writeFileSync } from 'node:fs'
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
  /** How long each file took. */
  seconds: Record<string, number>
  seen: Seen
  /** Files for another process, because a test of this one took too long and is still running. */
  filesLeft: string[]
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

/**
 * More than there are cores, because lanes also wait, for timers and for processes they start. Too
 * many make tests with time limits fail: with one more, eleven threads wait for two cores.
 */
export const LANES_AT_ONCE = availableParallelism() + 1
/**
 * Files together in a lane, unless one of them takes longer. Short, so that the last lanes end
 * together; not shorter, because each takes two seconds of processor time before its first test,
 * and two more until what the tests use is loaded and compiled.
 */
const LANE_SECONDS = 120

/** The suite that runs without a database, once. */
const UNIT = 'unit'
/** The suite of the admin panel, which runs once, in lanes with a browser. */
const BROWSER = 'browser'
const SUITES = [UNIT, 'functional', 'security', 'contract', BROWSER]
const NO_DATABASE = 'no database'
const EITHER_DATABASE = 'either database'
const IN_BROWSER = 'a browser'
/** A folder of tests that do not depend on the database: they run once, on one of the two. */
const STANDALONE = /\/standalone\//
const TITLES = { sqlite: 'SQLite', pg: 'PostgreSQL' }

/** Seconds of the files that take longer than most: a run with `WRITE_SECONDS=1` writes them. */
const SLOW_FILES = join(projectPath(), 'tests/slow_files.json')
const SLOW = JSON.parse(readFileSync(SLOW_FILES, 'utf8')) as Record<string, number>
/** Longer than this is slow. */
const MOST_USUAL = 2
/** Of all others. */
const USUAL = 1
const USUAL_IN_BROWSER = 20
/** At most, for the inner loop. */
const QUICK = 3

/** Imported by tests that start other processes, such as the service or a command. */
const STARTS_PROCESSES =
  /'#tests\/(?:world\/(?:production_|provider_)?service|world\/embedded_postgres|helpers\/(?:ace|command_line|own_database|production_copy|project_copy|reconciliation))'/

/** Options of the test runner that select tests and have a value. */
const SELECTING = ['files', 'tests', 'groups', 'tags']
const OTHERS_WITH_VALUE = ['timeout', 'retries', 'reporters', 'bail-layer']

/**
 * Tests of the inner loop: fast ones on SQLite only, without attacks and generated requests. There
 * is no second database to share the cores with.
 */
export function planQuickLanes(): Lane[] {
  const isQuick = (file: string) =>
    secondsOf(file) <= QUICK &&
    !STANDALONE.test(file) &&
    !STARTS_PROCESSES.test(readFileSync(join(projectPath(), file), 'utf8'))
  const [unit, functional] = [UNIT, 'functional'].map((suite) => filesOf(suite).filter(isQuick))
  return [
    ...lanesOf(unit, { title: NO_DATABASE }),
    ...lanesOf(functional, { title: TITLES.sqlite, database: 'sqlite' }),
  ]
}

/**
 * How to divide what the arguments of the test runner select. A selection of tests is not worth
 * dividing.
 */
export function planLanes(args: string[], databases: Database[]): Lane[] {
  const { suites, isSelection } = read(args)
  const [unit, browser] = [UNIT, BROWSER].map((one) => (suites.includes(one) ? filesOf(one) : []))
  const others = suites.filter((suite) => ![UNIT, BROWSER].includes(suite)).flatMap(filesOf)
  const standalone = others.filter((file) => STANDALONE.test(file))
  const dependent = others.filter((file) => !STANDALONE.test(file))
  if (isSelection) {
    return databases
      .map((database, index) => ({
        title: TITLES[database],
        database,
        files: index === 0 ? [...unit, ...standalone, ...browser, ...dependent] : dependent,
      }))
      .filter(({ files }) => files.length > 0)
  }
  return mixed([
    ...databases.map((database) => lanesOf(dependent, { title: TITLES[database], database })),
    lanesOf(standalone, { title: EITHER_DATABASE, database: databases[0], isStandalone: true }),
    lanesOf(browser, { title: IN_BROWSER, database: databases[0], isStandalone: true }),
    lanesOf(unit, { title: NO_DATABASE }),
  ])
}

/**
 * Begins with the slowest files. The others follow evenly from all groups: one group keeps the
 * cores busy all the time, another one mostly waits.
 */
function mixed(groups: Lane[][]): Lane[] {
  const [slow, usual] = [true, false].map((isSlow) =>
    groups.map((lanes) => lanes.filter((lane) => slowestIn(lane) > LANE_SECONDS / 2 === isSlow))
  )
  const placed = usual.flatMap((lanes) =>
    lanes.map((lane, index) => ({ lane, place: (index + 1) / (lanes.length + 1) }))
  )
  return [
    ...slow.flat().toSorted((one, other) => slowestIn(other) - slowestIn(one)),
    ...placed.toSorted((one, other) => one.place - other.place).map(({ lane }) => lane),
  ]
}

/**
 * More failing files than this are not run again, because it would take too long. A slow machine
 * breaks time limits in about thirty files; what is wrong fails again.
 */
const MOST_REPEATED_FILES = 40

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

function lanesOf(files: string[], lane: Omit<Lane, 'files'>): Lane[] {
  return divided(files).map((part, index, parts) => {
    const number = parts.length > 1 ? ` (${index + 1} of ${parts.length})` : ''
    return { ...lane, title: `${lane.title}${number}`, files: part }
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
function divided(files: string[]): string[][] {
  const length = Math.ceil(sumOf(files) / LANE_SECONDS)
  const parts = Array.from({ length }, () => ({ seconds: 0, files: [] as string[] }))
  const bySeconds = files.toSorted((one, other) => secondsOf(other) - secondsOf(one))
  for (const file of bySeconds) {
    const [least] = parts.toSorted((one, other) => one.seconds - other.seconds)
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return parts.filter((part) => part.files.length > 0).map((part) => part.files)
}

const slowestIn = ({ files }: Lane) => Math.max(...files.map(secondsOf))

const sumOf = (files: string[]) => files.reduce((sum, file) => sum + secondsOf(file), 0)

const secondsOf = (file: string) =>
  SLOW[file] ?? (file.startsWith(`tests/${BROWSER}/`) ? USUAL_IN_BROWSER : USUAL)

/** Remembers which files were slow in a complete run, for the division of the next ones. */
export function writeSlowFiles(runs: Run[]) {
  const slow: Record<string, number> = {}
  for (const [file, seconds] of runs.flatMap((run) => Object.entries(run.seconds))) {
    const most = Math.max(slow[file] ?? 0, Math.round(seconds))
    if (most > MOST_USUAL) slow[file] = most
  }
  const sorted = Object.entries(slow).toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(SLOW_FILES, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}
