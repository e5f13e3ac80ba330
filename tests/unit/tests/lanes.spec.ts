import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { untestedParts } from '#tests/helpers/coverage'
import {
  type Failure,
  type Lane,
  type Run,
  planLanes,
  planQuickLanes,
  planRepetition,
} from '#tests/lanes'

const slow = JSON.parse(
  readFileSync(join(projectPath(), 'tests/slow_files.json'), 'utf8')
) as Record<string, number>
const all = globSync('tests/**/*.spec.ts', { cwd: projectPath() })
const unit = all.filter((file) => file.startsWith('tests/unit/'))
/** Independent of the database. */
const standalone = all.filter((file) => /\/standalone\/|^tests\/browser\//.test(file))
const others = all.filter((file) => !unit.includes(file) && !standalone.includes(file))

const filesOn = (lanes: Lane[], database: Lane['database']) =>
  lanes
    .filter((lane) => lane.database === database && !lane.isStandalone)
    .flatMap(({ files }) => files)

test.group('Lanes', () => {
  test('run each file once per database, and unit and standalone tests once', ({ assert }) => {
    const lanes = planLanes([], ['sqlite', 'pg'])
    assert.sameMembers(filesOn(lanes, undefined), unit)
    const once = lanes.filter(({ isStandalone }) => isStandalone)
    assert.isNotEmpty(standalone)
    assert.sameMembers(
      once.flatMap(({ files }) => files),
      standalone
    )
    assert.sameMembers(filesOn(lanes, 'sqlite'), others)
    assert.sameMembers(filesOn(lanes, 'pg'), others)
  })

  test('start with the slowest files', ({ assert }) => {
    const bySeconds = Object.keys(slow).toSorted((one, other) => slow[other] - slow[one])
    const lanes = planLanes([], ['sqlite', 'pg'])
    const databasesOf = (file: string) => lanes.filter(({ files }) => files.includes(file)).length
    const [first, second] = bySeconds
    const expected = [first, second].flatMap((file) => Array<string>(databasesOf(file)).fill(file))
    assert.deepEqual(
      lanes.slice(0, expected.length).map(({ files }) => files[0]),
      expected
    )
  })

  test('know the slow files by their names', ({ assert }) => {
    assert.includeMembers(all, Object.keys(slow))
  })

  test('of a selection include unit and standalone tests once, in one lane per database', ({
    assert,
  }) => {
    const lanes = planLanes(['--files=roles', '--tests', 'unit'], ['sqlite', 'pg'])
    assert.deepEqual(
      lanes.map(({ database }) => database),
      ['sqlite', 'pg']
    )
    assert.sameMembers(lanes[0].files, all)
    assert.sameMembers(lanes[1].files, others)
  })

  test('run only the suites that are named', ({ assert }) => {
    const lanes = planLanes(['unit'], ['pg'])
    assert.isTrue(lanes.every(({ database }) => database === undefined))
    assert.sameMembers(filesOn(lanes, undefined), unit)
    const contract = planLanes(['contract'], ['pg'])
    assert.isTrue(filesOn(contract, 'pg').every((file) => file.startsWith('tests/contract/')))
    const once = planLanes(['security'], ['pg']).filter(({ isStandalone }) => isStandalone)
    assert.isTrue(once.every(({ database }) => database === 'pg'))
    assert.sameMembers(
      once.flatMap(({ files }) => files),
      standalone.filter((file) => file.startsWith('tests/security/'))
    )
  })

  test('have either only tests in a browser, or none', ({ assert }) => {
    const isInBrowser = (file: string) => file.startsWith('tests/browser/')
    const lanes = planLanes([], ['sqlite', 'pg']).filter(({ files }) => files.some(isInBrowser))
    assert.isNotEmpty(lanes)
    assert.isTrue(lanes.every(({ files }) => files.every(isInBrowser)))
  })

  test('of the inner loop leave out files that start processes', ({ assert }) => {
    const files = planQuickLanes().flatMap((lane) => lane.files)
    assert.include(files, 'tests/functional/permissions/roles.spec.ts')
    assert.notInclude(files, 'tests/functional/checks/between_workers.spec.ts')
    assert.notIncludeMembers(files, standalone)
    assert.isTrue(files.every((file) => /^tests\/(?:unit|functional)\//.test(file)))
  })

  test('of the inner loop run each file once, none of which is very slow', ({ assert }) => {
    const files = planQuickLanes().flatMap((lane) => lane.files)
    assert.lengthOf(files, new Set(files).size)
    assert.isEmpty(files.filter((file) => slow[file] > 3))
  })
})

test.group('Coverage of the API description', () => {
  test('omits what no lane has seen', ({ assert }) => {
    const [status, ...rest] = untestedParts([], 'pg')
    const fields = rest.filter((part) => part.startsWith('#/'))
    assert.isAbove(fields.length, 100)
    const parts = [
      { statuses: [status], fields: [] },
      { statuses: [], fields },
    ]
    assert.notIncludeMembers(untestedParts(parts, 'pg'), [status, ...fields])
    assert.isAbove(untestedParts(parts, 'pg').length, 100)
  })

  test('includes responses that only one database can cause', ({ assert }) => {
    const part = 'GET /api/health/ready 503'
    assert.include(untestedParts([], 'pg'), part)
    assert.notInclude(untestedParts([], 'sqlite'), part)
  })
})

/** A lane of these files that ended with these failures. */
function ended(lane: Lane, failures: Failure[] = [], code = failures.length > 0 ? 1 : 0): Run {
  const aggregates = { passed: 0, failed: 0, regression: 0, skipped: 0, todo: 0, total: 0 }
  const seen = { statuses: [], fields: [] }
  return { lane, code, failures, aggregates, seconds: {}, seen, filesLeft: [] }
}

const failureIn = (file?: string): Failure => ({ title: 'a test', error: 'Error', file })

test.group('The repetition of a run', () => {
  const files = Array.from({ length: 41 }, (_, index) => `tests/functional/${index}.spec.ts`)
  const onSqlite: Lane = { title: 'SQLite', database: 'sqlite', files }
  const onPg: Lane = { title: 'PostgreSQL', database: 'pg', files }

  test('repeats each failed file on its own database', ({ assert }) => {
    const failures = [failureIn(files[1]), failureIn(files[1]), failureIn(files[4])]
    const lanes = planRepetition([ended(onSqlite), ended(onPg, failures)])
    assert.deepEqual(lanes, [
      { title: 'PostgreSQL, once more', database: 'pg', files: [files[1], files[4]] },
    ])
  })

  test('is empty after a run without failures', ({ assert }) => {
    assert.isEmpty(planRepetition([ended(onSqlite), ended(onPg)]))
  })

  for (const [reason, runs] of Object.entries({
    'many files failed': [ended(onSqlite, files.map(failureIn))],
    'an error came outside of a test': [ended(onSqlite, [failureIn(files[0]), failureIn()])],
    'a process ended by itself': [ended(onPg, [failureIn(files[0])]), ended(onSqlite, [], 139)],
  })) {
    test(`does not happen if ${reason}`, ({ assert }) => {
      assert.isEmpty(planRepetition(runs))
    })
  }
})
