/**
 * Builds the packages if their sources changed: types from the API description, then JavaScript.
 * npm runs it after each install, and `bin/prepare.js` before each command. Without the compiler
 * (in a production install), it does nothing.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

const PACKAGES = ['client', 'cli']
/** Compiled from the sources of the service: the part that works without it. */
const SHARED = 'policy'
const DESCRIPTION = path('../docs/reference/openapi.json')
const TYPES = path('client/src/api.ts')
const IDENTITY = path('cli/src/api_description.ts')
const STAMP = path('client/dist/.built')
const HINT = `
The packages could not be built. If they use something new of the API, describe it first:
  npm run ace -- openapi:generate\n`

if (hasCompiler()) await buildWhatChanged()

async function buildWhatChanged() {
  const sources = fingerprint()
  if (isBuilt() && readFileSync(STAMP, 'utf8') === sources) return
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8'))
  // An object without named properties may hold anything.
  const types = await openapiTS(withoutExamples(description), { emptyObjectsUnknown: true })
  writeFileSync(TYPES, astToString(types))
  writeFileSync(IDENTITY, identityOf(description))
  rmSync(path(`${SHARED}/dist`), { recursive: true, force: true })
  const status = compile('--project', path(SHARED)) || compile('--build', ...PACKAGES.map(path))
  // The sources of the shared package are known only now.
  if (status === 0) return writeFileSync(STAMP, fingerprint())
  process.stderr.write(HINT)
  process.exitCode = status
}

function compile(...args) {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, ...args], { stdio: ['ignore', 2, 2] })
  return status ?? 1
}

function isBuilt() {
  const folders = [SHARED, ...PACKAGES].map((name) => path(`${name}/dist`))
  return [STAMP, TYPES, IDENTITY, ...folders].every((file) => existsSync(file))
}

function fingerprint() {
  const files = PACKAGES.flatMap((name) => [
    path(`${name}/package.json`),
    path(`${name}/tsconfig.json`),
    ...filesIn(path(`${name}/src`)).filter((file) => file !== TYPES && file !== IDENTITY),
  ])
  const hash = createHash('sha256')
  for (const file of [DESCRIPTION, ...files, ...sharedSources()]) {
    // Relative, so that a copy of the checkout needs no new build.
    hash.update(`${relative(path('.'), file)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** What the shared package was compiled from. A new source is imported by one that changed. */
function sharedSources() {
  const dist = path(`${SHARED}/dist`)
  const compiled = existsSync(dist) ? filesIn(dist).filter((file) => file.endsWith('.js')) : []
  const sources = compiled.map((file) => path(`../${relative(dist, file).replace(/js$/, 'ts')}`))
  const configuration = [path(`${SHARED}/package.json`), path(`${SHARED}/tsconfig.json`)]
  return [...configuration, ...sources.filter((file) => existsSync(file))]
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function hasCompiler() {
  try {
    return Boolean(createRequire(import.meta.url).resolve('openapi-typescript'))
  } catch {
    return false
  }
}

/** Lets the command line find out whether a service has the description that it was made from. */
function identityOf(description) {
  const digest = createHash('sha256').update(JSON.stringify(description)).digest('hex')
  const identity = { version: description.info.version, digest }
  return `/** The description of the API that this command line was made from. */
export const API_DESCRIPTION = ${JSON.stringify(identity)}\n`
}

/** They would make up half of the comments, and say nothing that the types do not. */
function withoutExamples(node) {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples')
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutExamples(value)]))
}
