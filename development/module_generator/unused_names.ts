import { glob, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidModuleRequest } from '#development/module_generator/generator_errors'
import { type ModuleRequest, pathOf } from '#development/module_generator/stub_data'

const MIGRATIONS = 'database/migrations'
/** Tables of the framework and the database systems. */
const FOREIGN_TABLE = /^(?:adonis|sqlite|pg|information_schema|knex)(?:_|$)/

/** The migration of an earlier run, if any. */
export async function findMigration({ names }: ModuleRequest, root: string) {
  const own = new RegExp(`^\\d+_create_${names.many.snake}_table\\.ts$`)
  const files = await readdir(join(root, MIGRATIONS))
  return files.find((file) => own.test(file))
}

/** Sorts after all existing migrations. */
export async function nextMigrationName({ names }: ModuleRequest, root: string, now = Date.now()) {
  const files = await readdir(join(root, MIGRATIONS))
  const stamps = files.map((file) => Number.parseInt(file)).filter(Number.isFinite)
  return `${Math.max(now, ...stamps.map((stamp) => stamp + 1))}_create_${names.many.snake}_table.ts`
}

/**
 * @param migration the migration of an earlier run, if any
 * @throws InvalidModuleRequest if a name is used by something else in the project
 */
export async function requireUnusedNames(request: ModuleRequest, root: string, migration?: string) {
  const { section, one, many } = request.names
  const isOurs = await isOwnSection(request, root, migration)
  if (isOurs === false) {
    throw new InvalidModuleRequest(
      `The section "${section.snake}" exists: add the files to it by hand`
    )
  }
  const models = await Array.fromAsync(glob(`app/*/models/${one.snake}.ts`, { cwd: root }))
  const isTableTaken = migration === undefined && (await tableNames(root)).has(many.snake)
  const isModelTaken = models.some((file) => file.split('/')[1] !== section.snake)
  if (isTableTaken || isModelTaken || FOREIGN_TABLE.test(many.snake)) {
    throw new InvalidModuleRequest(
      `The table "${many.snake}" belongs to something else: choose another resource name`
    )
  }
  // An incomplete module may have left routes and problems behind.
  if (isOurs || migration !== undefined) return
  const taken = (await routePatterns(root)).find((pattern) =>
    conflictsWith(pattern, pathOf(request))
  )
  if (taken) throw new InvalidModuleRequest(`${pathOf(request)} conflicts with the route ${taken}`)
  if (await declaresProblem(root, one.constant)) {
    throw new InvalidModuleRequest(
      `Problems named ${one.constant}_… exist: choose another resource name`
    )
  }
  if (await isAudited(root, one.snake)) {
    throw new InvalidModuleRequest(
      `Audit actions named ${one.snake}.… exist: choose another resource name`
    )
  }
}

/** Whether the section's routes are this module's; undefined if it has none yet. */
async function isOwnSection(request: ModuleRequest, root: string, migration?: string) {
  const folder = join(root, 'app', request.names.section.snake)
  const files = await readdir(folder).catch((): string[] => [])
  if (files.includes('routes.ts')) {
    return (await readFile(join(folder, 'routes.ts'), 'utf8')).includes(`'${pathOf(request)}'`)
  }
  return files.length === 0 || migration !== undefined ? undefined : false
}

async function tableNames(root: string) {
  const sources = await readAll(root, `${MIGRATIONS}/*.ts`)
  return new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/createTable\('(\w+)'/g)].map(([, name]) => name)
    )
  )
}

/** Read from the access rows of the sections, which list every route. */
async function routePatterns(root: string) {
  const sections = await readAll(root, 'tests/access/sections/*.ts')
  return sections.flatMap((section) =>
    [...section.matchAll(/'[A-Z]+ (\/[^']+)'/g)].map(([, pattern]) => pattern)
  )
}

/** Whether a request could match both. */
function conflictsWith(pattern: string, path: string) {
  const [theirs, ours] = [pattern.split('/'), path.split('/')]
  const overlaps = (segment: string, index: number) =>
    segment === ours[index] || segment.startsWith(':') || ours[index]?.startsWith(':')
  return (
    (theirs.length === ours.length && theirs.every(overlaps)) ||
    (theirs.length === ours.length + 1 && theirs.slice(0, -1).every(overlaps))
  )
}

async function declaresProblem(root: string, constant: string) {
  const sources = await readAll(root, 'app/**/exceptions*.ts')
  return sources.some((source) => new RegExp(`'${constant}_(?:NOT_FOUND|EXISTS)'`).test(source))
}

async function isAudited(root: string, kind: string) {
  const sources = await readAll(root, 'app/core/audit/audit_actions.ts')
  return sources.some((source) => source.includes(`'${kind}.`))
}

async function readAll(root: string, pattern: string): Promise<string[]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: root }))
  return Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
}
