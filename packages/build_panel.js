/**
 * Builds the admin panel if its sources changed, and compresses its files. `bin/prepare.js --panel`
 * runs it, after `build.js`, whose types it uses. Without Vite (in a production install), it does
 * nothing.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

const FOLDER = path('panel')
const DIST = path('panel/dist')
const STAMP = path('panel/dist/.built')
const TYPES = path('client/src/api.ts')
const DESCRIPTION = path('../docs/reference/openapi.json')
const SCHEMAS = path('panel/src/forms/schemas.ts')
const COMPRESSED = /\.(?:js|css|html|svg)$/

const vite = findVite()
if (vite) {
  writeSchemas()
  buildIfChanged()
}

/** One constant for each request body, so that a page carries only those of its forms. */
function writeSchemas() {
  const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8'))
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
  const lines = operations.flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    if (!schema) return []
    const name = operationId.replaceAll(/[._](\w)/g, (_, letter) => letter.toUpperCase())
    return [`export const ${name} = ${JSON.stringify(resolved(schema, description))}`]
  })
  const text = `/** Request bodies, by operation. Written by packages/build_panel.js. */\n${lines.join('\n')}\n`
  // Vite would reload for an unchanged file.
  if (!existsSync(SCHEMAS) || readFileSync(SCHEMAS, 'utf8') !== text) writeFileSync(SCHEMAS, text)
}

/** Without references and examples, which no form needs. */
function resolved(node, description) {
  if (Array.isArray(node)) return node.map((item) => resolved(item, description))
  if (typeof node !== 'object' || node === null) return node
  if (node.$ref) {
    const path = node.$ref.slice(2).split('/')
    return resolved(
      path.reduce((whole, key) => whole[key], description),
      description
    )
  }
  // A property may have these names, too.
  const isText = ([key, value]) =>
    key === 'example' || (key === 'description' && typeof value === 'string')
  const entries = Object.entries(node).filter((entry) => !isText(entry))
  return Object.fromEntries(entries.map(([key, value]) => [key, resolved(value, description)]))
}

function buildIfChanged() {
  const sources = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel=warn'], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(status ?? 1)
  for (const file of filesIn(DIST).filter((name) => COMPRESSED.test(name))) compress(file)
  writeFileSync(STAMP, sources)
}

/** Ahead of time, because the best compression takes long. */
function compress(file) {
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(content))
}

function fingerprint() {
  const hash = createHash('sha256')
  const own = filesIn(FOLDER).filter((file) => !file.startsWith(DIST))
  for (const file of [TYPES, path('../package-lock.json'), ...own]) {
    hash.update(`${relative(path('.'), file)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function findVite() {
  try {
    const manifest = createRequire(import.meta.url).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    return undefined
  }
}
