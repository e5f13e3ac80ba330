import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { ProjectCopy } from '#tests/helpers/project_copy'

const MODULE = [
  ...['observatory', '--resource=telescope', '--field=code:slug', '--field=line2:text?'],
  ...['--field=aperture:integer?', '--field=firstLightAt:timestamp', '--field=open:boolean'],
]
const MODEL = 'app/observatory/models/telescope.ts'
const ROUTES = 'app/observatory/routes.ts'
const ACTION = 'app/observatory/actions/save_telescope.ts'

/** Generated from the routes by the framework. */
const ROUTE_TYPES = '.adonisjs/server/routes.d.ts'

/** Where the module adds files or lines. */
const LINTED = [
  ...['app/observatory', 'database', 'start', 'tests/functional/observatory', 'tests/helpers'],
  'tests/functional/access_matrix',
]

/** Tests that compare all routes with a table or file, and one that sends its requests. */
const TABLES = [
  'every route has a row in the table, and every row a route',
  'every route that writes stands in the table of them',
  'every body of the table is one its route accepts',
  'The error reference lists every problem the code declares',
  'is what the routes and the source behind them say',
]

const TABLE_FILES = ['access_matrix', 'hostile_bodies', 'errors_reference', 'openapi']

const onPostgres = process.env.DB_CONNECTION === 'pg'

/** In the order of use. Tests independent of the database run on one of them. */
test.group('make:module', (group) => {
  let copy: ProjectCopy
  group.setup(async () => {
    copy = await ProjectCopy.make()
    return () => copy.remove()
  })
  group.each.timeout(480_000)

  const make = (...args: string[]) => copy.node(['ace.js', 'make:module', ...args])

  async function changesNothing(assert: Assert, args: string[]) {
    const before = await copy.hashes()
    const run = await copy.node(['ace.js', ...args])
    assert.deepEqual(await copy.hashes(), before)
    return run
  }

  /** Generates missing files, so that each test is independent. */
  async function generated(assert: Assert) {
    const { code, stdout, output } = await make(...MODULE, '--json')
    assert.equal(code, 0, output)
    return JSON.parse(stdout)
  }

  if (!onPostgres) {
    test('refuses an invalid module with exit code 1 and writes nothing: {$self}')
      .with(['../evil', 'platform', 'observatory --field=code:varchar'])
      .run(async ({ assert }, words) => {
        const run = await changesNothing(assert, ['make:module', ...words.split(' '), '--json'])
        assert.equal(run.code, 1)
        const { changed, error } = JSON.parse(run.stdout)
        assert.isFalse(changed)
        assert.isAbove(error.length, 20)
      })

    test('replaces generators of the framework: {$self}')
      .with(['make:controller', 'make:model', 'make:factory'])
      .run(async ({ assert }, command) => {
        const run = await changesNothing(assert, [command, 'telescope', '--resource'])
        assert.equal(run.code, 1)
        assert.include(run.output, 'make:module')
      })

    test('lists files in a dry run without writing them', async ({ assert }) => {
      const args = ['make:module', 'geology', '--resource=rock', '--dry-run', '--json']
      const { code, stdout } = await changesNothing(assert, args)
      assert.equal(code, 0)
      const { changed, dryRun, files } = JSON.parse(stdout)
      assert.isFalse(changed)
      assert.isTrue(dryRun)
      assert.deepInclude(files, { path: 'app/geology/models/rock.ts', action: 'create' })
      assert.deepInclude(files, { path: 'start/routes.ts', action: 'extend' })
      assert.deepInclude(files, { path: 'database/schema.ts', action: 'regenerate' })
    })

    test('writes the listed files, and nothing when run again', async ({ assert }) => {
      const before = await copy.hashes()
      const { changed, failure, files } = await generated(assert)
      assert.isTrue(changed)
      assert.isNull(failure)
      const after = await copy.hashes()
      const written = Object.keys(after).filter((path) => after[path] !== before[path])
      const announced = [ROUTE_TYPES, ...files.map(({ path }: { path: string }) => path)]
      assert.sameMembers(written, announced)

      const again = await changesNothing(assert, ['make:module', ...MODULE])
      assert.equal(again.code, 0)
      assert.include(again.output, 'Nothing to do')
    })

    test('keeps and reports changed files; --force restores changed and missing ones', async ({
      assert,
    }) => {
      await generated(assert)
      const before = await copy.hashes()
      const action = join(copy.root, ACTION)
      await writeFile(action, `${await readFile(action, 'utf8')}\nexport const mine = 1\n`)
      for (const path of [MODEL, ROUTES]) await rm(join(copy.root, path))
      const refused = await changesNothing(assert, ['make:module', ...MODULE, '--json'])
      assert.equal(refused.code, 2)
      const { error, files } = JSON.parse(refused.stdout)
      assert.deepEqual(files, [ACTION])
      assert.match(error, /1 file differs, 2 are missing/)

      const forced = await make(...MODULE, '--force')
      assert.equal(forced.code, 0, forced.output)
      assert.deepEqual(await copy.hashes(), before)
    })

    test('generates code that passes the type check and the linter', async ({ assert }) => {
      await generated(assert)
      const [types, lint] = await Promise.all([
        copy.node(['node_modules/typescript/bin/tsc', '--noEmit']),
        copy.node(['node_modules/eslint/bin/eslint.js', ...LINTED]),
      ])
      assert.equal(types.code, 0, types.output)
      assert.equal(lint.code, 0, lint.output)
    })
  }

  test('generates a module that passes its tests and is in every route table', async ({
    assert,
  }) => {
    await generated(assert)
    const own = await runTests(copy, '--files=observatory/telescopes')
    assert.equal(own.code, 0, own.output)
    assert.match(own.output, /[1-9]\d passed, 0 failed, 0 skipped/)
    const files = TABLE_FILES.map((file) => `--files=${file}`)
    const tables = await runTests(copy, ...files, ...TABLES.flatMap((title) => ['--tests', title]))
    assert.equal(tables.code, 0, tables.output)
    assert.include(tables.output, `${TABLES.length} passed, 0 failed`)
  })
})

/** Uses the database of this run, with PostgreSQL a separate one. */
function runTests(copy: ProjectCopy, ...args: string[]) {
  const settings: Record<string, string> = onPostgres
    ? { TEST_ON: 'pg', TEST_DATABASE_URL: process.env.DATABASE_URL! }
    : { TEST_ON: 'sqlite' }
  return copy.node(['--import=@poppinss/ts-exec', 'tests/run.ts', ...args], settings)
}
