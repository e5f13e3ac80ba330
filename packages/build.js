/**
 * Builds the packages beside the service: types of the API from its description, then JavaScript. npm runs it after each
 * install. Where the compiler was left out (a production install) there is nothing to build with, and nothing to build.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const tools = await Promise.all([
  import('openapi-typescript'),
  createRequire(import.meta.url).resolve('typescript/bin/tsc'),
]).catch(() => null)

if (tools) {
  const [{ default: openapiTS, astToString }, tsc] = tools
  const description = JSON.parse(readFileSync(path('../docs/reference/openapi.json'), 'utf8'))
  const types = astToString(
    await openapiTS(withoutExamples(description), { emptyObjectsUnknown: true })
  )
  writeFileSync(path('client/src/api.ts'), types)
  const { status } = spawnSync(process.execPath, [tsc, '--build', path('client'), path('cli')], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

/** They would make up half of the comments, and say nothing that the types do not. */
function withoutExamples(node) {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples')
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutExamples(value)]))
}
