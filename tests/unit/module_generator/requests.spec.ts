import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import ts from 'typescript'
import { moduleFields } from '#development/module_generator/fields'
import { moduleNames } from '#development/module_generator/names'
import { planModule } from '#development/module_generator/plan'
import {
  ProjectConflict,
  InvalidModuleRequest,
} from '#development/module_generator/generator_errors'
import { USED_BY_STUBS } from '#development/module_generator/reserved_words'
import { withInsertions, sharedFiles } from '#development/module_generator/insertions'
import { MODULES, aModule } from '#tests/unit/module_generator/modules'
import { projectPath } from '#core/process/root'

test.group('Names of a module', () => {
  test('are available in every spelling', ({ assert }) => {
    const { section, one, many } = moduleNames('meeting_places', 'meeting_room')
    assert.include(section, { snake: 'meeting_places', camel: 'meetingPlaces' })
    assert.include(one, { pascal: 'MeetingRoom', camel: 'meetingRoom', constant: 'MEETING_ROOM' })
    assert.include(many, { snake: 'meeting_rooms', kebab: 'meeting-rooms', words: 'meeting rooms' })
  })

  test('default to the singular of the section', ({ assert }) => {
    assert.equal(moduleNames('facilities').one.snake, 'facility')
    assert.equal(moduleNames('people').one.snake, 'person')
  })

  test('cannot name a section: {$self}')
    .with([
      '',
      ' ',
      '.',
      '..',
      '../evil',
      'a/b',
      'a\\b',
      '/etc',
      'app/x',
      'C:',
      'x\0',
      'x\ny',
      'Facilities',
      'FACILITIES',
      'facilitieS',
      'facili-ties',
      'facilities2',
      '_x',
      'x_',
      'x__y',
      'fаcilities',
      'ｆacilities',
      'ﬁles',
      'facilities\u200b',
      '\u202eseitilicaf',
      'zahraničí',
      '__proto__',
      'constructor',
      'prototype',
      'to_string',
      'has_own_property',
      'value_of',
      'class',
      'new',
      'default',
      'import',
      'await',
      'static',
      'yield',
      'arguments',
      'undefined',
      'fs',
      'path',
      'events',
      'http',
      'process',
      'crypto',
      'test',
      'node',
      'con',
      'nul',
      'controllers',
      'models',
      'listeners',
      'middleware',
      'adonisjs',
      'database',
      'tests',
      'commands',
      'start',
      'generated',
      'node_modules',
      'x'.repeat(31),
      '$(id)',
      '`id`',
      '%2e%2e',
    ])
    .run(({ assert }, section) => {
      assert.throws(() => moduleNames(section, 'telescope'), InvalidModuleRequest)
    })

  test('cannot name a resource: {$self}')
    .with([
      '',
      '../evil',
      'Telescope',
      'teleskop\u0301',
      '__proto__',
      'constructor',
      'class',
      'new',
      'telescopes',
      'equipment',
      'news',
      'date',
      'map',
      'error',
      'event',
      'promise',
      'symbol',
      'field',
      'application',
      'response',
      'router',
      'x'.repeat(31),
      'to_string',
      'is_prototype_of',
    ])
    .run(({ assert }, resource) => {
      assert.throws(() => moduleNames('observatory', resource), InvalidModuleRequest)
    })

  test('that the project uses are refused: {section} with {resource}')
    .with([
      { section: 'platform', resource: 'telescope', says: 'section "platform" exists' },
      { section: 'core', resource: 'telescope', says: 'section "core" exists' },
      { section: 'auth', resource: 'telescope', says: 'section "auth" exists' },
      { section: 'observatory', resource: 'brand', says: 'table "brands"' },
      { section: 'observatory', resource: 'user', says: 'table "users"' },
      { section: 'observatory', resource: 'adonis_schema', says: 'table "adonis_schemas"' },
      { section: 'observatory', resource: 'pg_class', says: 'table "pg_classes"' },
      { section: 'observatory', resource: 'administrator', says: 'ADMINISTRATOR_' },
      { section: 'observatory', resource: 'login_record', says: 'table "login_records"' },
      { section: 'observatory', resource: 'oidc_client', says: 'Audit actions named oidc_client' },
    ])
    .run(async ({ assert }, { section, resource, says }) => {
      const plan = () => planModule(aModule(section, { resource }), projectPath())
      await assert.rejects(plan, new RegExp(says))
    })

  test('of resources cannot be those that the generated files use', async ({ assert }) => {
    const used = new Set<string>()
    for (const request of Object.values(MODULES)) {
      const { one, many } = request.names
      const own = [one.camel, many.camel, one.pascal, many.pascal]
      for (const { contents, state } of await planModule(request, projectPath())) {
        if (state !== 'missing') continue
        const others = declaredIn(contents).filter((name) => !own.some((o) => name.includes(o)))
        for (const name of others) used.add(name)
      }
    }
    assert.deepEqual([...used].sort(), [...USED_BY_STUBS].sort())
  })
})

/** Lower-case names that a file declares or imports as values. */
function declaredIn(source: string): string[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true)
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isParameter(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isFunctionDeclaration(node)
    if (isDeclared && node.name && ts.isIdentifier(node.name)) names.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...new Set(names)].filter((name) => /^[a-z]/.test(name) && !FIELD_NAMES.has(name))
}

const FIELD_NAMES = new Set(
  Object.values(MODULES).flatMap(({ fields }) => fields.map(({ name }) => name))
)

test.group('Fields of a module', () => {
  test('are required unless they end in a question mark', ({ assert }) => {
    const fields = moduleFields(['code:slug', 'openUntil:timestamp?'])
    assert.containSubset(fields, [
      { name: 'code', column: 'code', typeName: 'slug', optional: false },
      { name: 'openUntil', column: 'open_until', typeName: 'timestamp', optional: true },
    ])
  })

  test('default to a code and a name', ({ assert }) => {
    assert.deepEqual(
      moduleFields().map(({ name }) => name),
      ['code', 'name']
    )
  })

  test('are refused: {$self}')
    .with([
      '',
      'code',
      'code:',
      ':slug',
      'code:slug:x',
      'code:varchar',
      'code:Slug',
      'code:slug??',
      'Code:slug',
      'co de:slug',
      'co-de:slug',
      'code\n:slug',
      'co_de:slug',
      'čode:slug',
      'id:integer',
      'createdAt:timestamp',
      'applicationId:integer',
      'aURL:slug',
      'a1b:slug',
      '__proto__:slug',
      'constructor:slug',
      'toString:slug',
      'save:slug',
      'merge:slug',
      'payload:string',
      'smtp:string',
      'openAt:string',
      'code:constructor',
      'code:__proto__',
      "x');drop:slug",
      '`id`:slug',
      `${'x'.repeat(41)}:slug`,
    ])
    .run(({ assert }, field) => {
      assert.throws(() => moduleFields(['known:slug', field]), InvalidModuleRequest)
    })

  test('cannot start with {$self}, which does not identify a resource')
    .with(['code:slug?', 'body:text', 'done:boolean', 'startsAt:timestamp', 'link:url'])
    .run(({ assert }, field) => {
      assert.throws(() => moduleFields([field]), /first field/)
    })

  test('are refused if two share a column or there are too many', ({ assert }) => {
    assert.throws(() => moduleFields(['code:slug', 'code:string']), /given twice/)
    const many = Array.from({ length: 31 }, (_, index) => `x${'y'.repeat(index)}:slug`)
    assert.throws(() => moduleFields(many), /at most 30/)
  })
})

test.group('Files that all sections share', () => {
  const shared = sharedFiles(MODULES['telescope.golden'])
  const read = (path: string) => readFile(join(projectPath(), path), 'utf8')

  test('get every addition once', async ({ assert }) => {
    for (const file of shared) {
      const before = await read(file.path)
      const once = withInsertions(file, before)
      assert.isAbove(once.length, before.length, file.path)
      assert.equal(withInsertions(file, once), once, file.path)
      assert.equal(
        withInsertions(file, once.replaceAll(/\s*\n\s*/g, '\n')).length,
        once.replaceAll(/\s*\n\s*/g, '\n').length
      )
    }
  })

  test('are named and left alone if the place of an addition is gone', ({ assert }) => {
    for (const file of shared) {
      assert.throws(() => withInsertions(file, 'export {}\n'), ProjectConflict)
      assert.throws(() => withInsertions(file, ''), new RegExp(file.path))
    }
  })
})
