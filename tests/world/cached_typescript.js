/**
 * Preloaded into every process of the tests: runs TypeScript as `@poppinss/ts-exec` does, with its
 * compiler, but compiles each file once and not in each process. A file is found by its contents,
 * so a change is compiled again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks, setSourceMapsSupport } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import './cached_resolution.js'

const LOADER = '@poppinss/ts-exec'
const FOLDER = fileURLToPath(
  new URL('../../node_modules/.cache/tests/typescript/', import.meta.url)
)
const ROOT = pathToFileURL(`${process.cwd()}/`).href
const TYPESCRIPT = /^file:.*\.ts(\?|$)/

const requireFromLoader = createRequire(createRequire(import.meta.url).resolve(LOADER))
/** What the loader derives from `tsconfig.json`. */
const OPTIONS = {
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'esnext',
    externalHelpers: false,
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { decoratorMetadata: true, legacyDecorator: true },
    experimental: { keepImportAttributes: true },
    keepClassNames: true,
  },
}
const VERSION = JSON.stringify([requireFromLoader('@swc/core/package.json').version, OPTIONS])

setSourceMapsSupport(true, { nodeModules: false, generatedCode: false })

const ownImports = Object.entries(readImports()).map(([pattern, target]) => [
  pattern.split('*')[0],
  new URL(target.split('*')[0], ROOT).href,
])

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === LOADER) return { url: 'data:text/javascript,', shortCircuit: true }
    const url = sourceOf(specifier, context.parentURL)
    if (url && existsSync(new URL(url))) return { url, format: 'module', shortCircuit: true }
    return nextResolve(specifier, context)
  },
  load(url, context, nextLoad) {
    if (!TYPESCRIPT.test(url) || url.includes('/node_modules/')) return nextLoad(url, context)
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true }
  },
})

/** The TypeScript file that a specifier with the extension of its compiled file may mean. */
function sourceOf(specifier, parent = ROOT) {
  const own = ownImports.find(([prefix]) => specifier.startsWith(prefix))
  if (own && parent.startsWith(ROOT)) return `${own[1]}${specifier.slice(own[0].length)}.ts`
  const isRelative = /^(\.{0,2}\/|file:).*\.js$/.test(specifier)
  return isRelative ? new URL(specifier.replace(/js$/, 'ts'), parent).href : undefined
}

function compiled(path) {
  const source = readFileSync(path, 'utf8')
  const filename = basename(path)
  const hash = createHash('sha256').update(VERSION).update(filename).update(source).digest('hex')
  const file = join(FOLDER, `${hash}.js`)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  // The name without its folder, so that copies of the project find the same file.
  const { code } = requireFromLoader('@swc/core').transformSync(source, { filename, ...OPTIONS })
  mkdirSync(FOLDER, { recursive: true })
  const temporary = `${file}.${process.pid}.${threadId}`
  writeFileSync(temporary, code)
  renameSync(temporary, file)
  return code
}

function readImports() {
  const path = new URL('package.json', ROOT)
  return (existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).imports) || {}
}
