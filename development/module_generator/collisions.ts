import { glob, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#development/module_generator/refusal'
import { type ModuleRequest, pathOf } from '#development/module_generator/stub_data'

const MIGRATIONS = 'database/migrations'
/** Tables of the framework and of the databases themselves. */
const FOREIGN_TABLE = /^(?:adonis|sqlite|pg|information_schema|knex)(?:_|$)/

/** The file name of the migration that this module already has, if any. */
export async function migrationOf({ names }: ModuleRequest, root: string) {
  const own = new RegExp(`^\\d+_create_${names.many.snake}_table\\.ts$`)
  const files = await readdir(join(root, MIGRATIONS))
  return files.find((file) => own.test(file))
}

/** A file name behind all migrations there are. */
export async function nextMigration({ names }: ModuleRequest, root: string, now = Date.now()) {
  const files = await readdir(join(root, MIGRATIONS))
  const stamps = files.map((file) => Number.parseInt(file)).filter(Number.isFinite)
  return `${Math.max(now, ...stamps.map((stamp) => stamp + 1))}_create_${names.many.snake}_table.ts`
}

/**
 * Refuses a module whose names mean something else in the project already.
 *
 * @param migration The module's own migration, when it has one
 * @throws Refusal
 */
export async function requireFreeNames(request: ModuleRequest, root: string, migration?: string) {
  const { section, one, many } = request.names
  const isOurs = await isOwnSection(request, root, migration)
  if (isOurs === false) {
    throw new Refusal(`The section "${section.snake}" exists: add to it by hand, beside its files`)
  }
  const models = await Array.fromAsync(glob(`app/*/models/${one.snake}.ts`, { cwd: root }))
  const isTaken = migration === undefined && (await tables(root)).has(many.snake)
  const elsewhere = models.some((file) => file.split('/')[1] !== section.snake)
  if (isTaken || elsewhere || FOREIGN_TABLE.test(many.snake)) {
    throw new Refusal(`The table "${many.snake}" is not this module's: name the resource otherwise`)
  }
  // What a module has left behind of itself, its routes and problems among it, is no clash.
  if (isOurs || migration !== undefined) return
  const taken = (await routes(root)).find((pattern) => clashes(pattern, pathOf(request)))
  if (taken) throw new Refusal(`${pathOf(request)} would clash with the route ${taken}`)
  if (await declaresProblem(root, one.constant)) {
    throw new Refusal(`There are problems ${one.constant}_… already: name the resource otherwise`)
  }
}

/** Whether the section was made for this module, as its routes say; undefined when there is nothing to tell by. */
async function isOwnSection(request: ModuleRequest, root: string, migration?: string) {
  const folder = join(root, 'app', request.names.section.snake)
  const files = await readdir(folder).catch((): string[] => [])
  if (files.includes('routes.ts')) {
    return (await readFile(join(folder, 'routes.ts'), 'utf8')).includes(`'${pathOf(request)}'`)
  }
  return files.length === 0 || migration !== undefined ? undefined : false
}

async function tables(root: string) {
  const sources = await contents(root, `${MIGRATIONS}/*.ts`)
  return new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/createTable\('(\w+)'/g)].map(([, name]) => name)
    )
  )
}

/** Every route has a row in the access matrix. */
async function routes(root: string) {
  const [table] = await contents(root, 'tests/functional/access_matrix/table.ts')
  return [...table.matchAll(/'[A-Z]+ (\/[^']+)'/g)].map(([, pattern]) => pattern)
}

/** Whether one of the two may answer what is meant for the other. */
function clashes(pattern: string, path: string) {
  const [theirs, ours] = [pattern.split('/'), path.split('/')]
  const overlaps = (segment: string, index: number) =>
    segment === ours[index] || segment.startsWith(':') || ours[index]?.startsWith(':')
  return (
    (theirs.length === ours.length && theirs.every(overlaps)) ||
    (theirs.length === ours.length + 1 && theirs.slice(0, -1).every(overlaps))
  )
}

async function declaresProblem(root: string, constant: string) {
  const sources = await contents(root, 'app/**/exceptions*.ts')
  return sources.some((source) => new RegExp(`'${constant}_(?:NOT_FOUND|EXISTS)'`).test(source))
}

async function contents(root: string, pattern: string): Promise<string[]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: root }))
  return Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
}
