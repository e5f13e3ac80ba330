/**
 * Builds the admin panel if its sources changed, and compresses its files. `bin/prepare.js --panel`
 * runs it, after `build.js`, whose types it uses. Without Vite (in a production install), it does
 * nothing.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildIfChanged, filesIn, findVite, runVite } from './browser_build.js'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

const FOLDER = path('panel')
const DIST = path('panel/dist')
const TYPES = path('client/src/api.ts')
const DESCRIPTION = path('../docs/reference/openapi.json')
const SCHEMAS = path('panel/src/forms/schemas.ts')
const COMPRESSED = /\.(?:js|css|html|svg)$/

if (findVite()) {
  writeSchemas()
  buildIfChanged(FOLDER, { alsoFrom: [TYPES] }, () => {
    runVite(FOLDER)
    for (const file of filesIn(DIST).filter((name) => COMPRESSED.test(name))) compress(file)
  })
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

/** Ahead of time, because the best compression takes long. */
function compress(file) {
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(content))
}
