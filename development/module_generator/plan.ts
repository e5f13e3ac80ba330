import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import app from '@adonisjs/core/services/app'
import * as prettier from 'prettier'
import {
  findMigration,
  nextMigrationName,
  requireUnusedNames,
} from '#development/module_generator/unused_names'
import {
  type SharedFile,
  withInsertions,
  sharedFiles,
} from '#development/module_generator/insertions'
import { type ModuleRequest, stubData } from '#development/module_generator/stub_data'

const STUBS = [
  'migration',
  'model',
  'exceptions',
  'validator',
  'query',
  'transformer',
  'audited',
  'create_action',
  'update_action',
  'delete_action',
  'find_action',
  'controller',
  'routes',
  'factory',
  'access',
  'test',
]

const PANEL_STUBS = ['queries', 'page', 'form', 'fields', 'delete', 'texts_en', 'texts_cs'].map(
  (name) => `panel_${name}`
)

/** `extend`: a shared file in which something is missing. */
export type FileState = 'missing' | 'differs' | 'extend' | 'as planned'

export interface PlannedFile {
  path: string
  state: FileState
  contents: string
}

/**
 * Plans without writing anything.
 * @throws InvalidModuleRequest, ProjectConflict
 */
export async function planModule(request: ModuleRequest, root: string): Promise<PlannedFile[]> {
  const migration = await findMigration(request, root)
  await requireUnusedNames(request, root, migration)
  const data = stubData(request, migration ?? (await nextMigrationName(request, root)))
  const stubs = request.withPanel ? [...STUBS, ...PANEL_STUBS] : STUBS
  const own = await Promise.all(stubs.map((stub) => planFromStub(stub, data, root)))
  const shared = await Promise.all(sharedFiles(request).map((file) => planShared(file, root)))
  return [...own, ...shared]
}

async function planFromStub(name: string, data: object, root: string): Promise<PlannedFile> {
  const stubs = await app.stubs.create()
  const source = app.makePath('development/module_generator/stubs')
  const stub = await stubs.build(`${name}.stub`, { source })
  const { contents, destination } = await stub.prepare(data)
  const path = relative(app.makePath(), destination)
  const expected = await format(contents, path, root)
  const current = await readFile(join(root, path), 'utf8').catch(() => null)
  const state = current === null ? 'missing' : current === expected ? 'as planned' : 'differs'
  return { path, state, contents: expected }
}

async function planShared(file: SharedFile, root: string): Promise<PlannedFile> {
  const { path } = file
  const current = await readFile(join(root, path), 'utf8')
  const expected = withInsertions(file, current)
  if (expected === current) return { path, state: 'as planned', contents: current }
  // Do not format a file that was unformatted before.
  const isFormatted = (await format(current, path, root)) === current
  const contents = isFormatted ? await format(expected, path, root) : expected
  return { path, state: 'extend', contents }
}

async function format(contents: string, path: string, root: string) {
  const filepath = join(root, path)
  const options = await prettier.resolveConfig(join(root, 'start/routes.ts'))
  return prettier.format(contents, { ...options, filepath })
}
