import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import app from '@adonisjs/core/services/app'
import * as prettier from 'prettier'
import {
  migrationOf,
  nextMigration,
  requireFreeNames,
} from '#development/module_generator/collisions'
import { type SharedFile, extended, sharedFiles } from '#development/module_generator/insertions'
import { type ModuleRequest, stubData } from '#development/module_generator/stub_data'

const STUBS = [
  ...['migration', 'model', 'exceptions', 'validator', 'action', 'query', 'transformer'],
  ...['controller', 'routes', 'factory', 'test'],
]

/** `differs`: there with other contents. `extend`: shared by all sections, and lacking something. */
export type FileState = 'missing' | 'differs' | 'extend' | 'as planned'

export interface PlannedFile {
  /** Relative to the project. */
  path: string
  state: FileState
  contents: string
}

/**
 * What generating a module means for the project at `root`. Nothing is written.
 *
 * @throws Refusal, Obstacle
 */
export async function planModule(request: ModuleRequest, root: string): Promise<PlannedFile[]> {
  const migration = await migrationOf(request, root)
  await requireFreeNames(request, root, migration)
  const data = stubData(request, migration ?? (await nextMigration(request, root)))
  const own = await Promise.all(STUBS.map((stub) => fromStub(stub, data, root)))
  const shared = await Promise.all(sharedFiles(request).map((file) => fromShared(file, root)))
  return [...own, ...shared]
}

async function fromStub(name: string, data: object, root: string): Promise<PlannedFile> {
  const stubs = await app.stubs.create()
  const source = app.makePath('development/module_generator/stubs')
  const stub = await stubs.build(`${name}.stub`, { source })
  const { contents, destination } = await stub.prepare(data)
  const path = relative(app.makePath(), destination)
  const wanted = await formatted(contents, path, root)
  const current = await readFile(join(root, path), 'utf8').catch(() => null)
  const state = current === null ? 'missing' : current === wanted ? 'as planned' : 'differs'
  return { path, state, contents: wanted }
}

async function fromShared(file: SharedFile, root: string): Promise<PlannedFile> {
  const { path } = file
  const current = await readFile(join(root, path), 'utf8')
  const wanted = extended(file, current)
  if (wanted === current) return { path, state: 'as planned', contents: current }
  // What nobody has formatted so far stays so: only the module's own lines are to change.
  const isFormatted = (await formatted(current, path, root)) === current
  const contents = isFormatted ? await formatted(wanted, path, root) : wanted
  return { path, state: 'extend', contents }
}

async function formatted(contents: string, path: string, root: string) {
  const filepath = join(root, path)
  const options = await prettier.resolveConfig(join(root, 'start/routes.ts'))
  return prettier.format(contents, { ...options, filepath })
}
