/**
 * Remembers which files of the installed packages their imports mean, for all processes of the
 * tests: finding them anew takes a sixth of the time in which the service starts. An installation
 * begins a new list.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'

const FOLDER = realpathSync(fileURLToPath(new URL('../../node_modules', import.meta.url)))
const PACKAGES = pathToFileURL(`${FOLDER}/`).href
const ROOT = pathToFileURL(`${process.cwd()}/`).href
const FILE = join(FOLDER, `.cache/tests/resolution/${timeOfInstallation()}.json`)

/** The file below `node_modules` and its format, by how and where it is imported. */
const known = read()
let isIncomplete = false

registerHooks({
  resolve(specifier, context, nextResolve) {
    const folder = folderOf(context.parentURL)
    if (folder === undefined) return nextResolve(specifier, context)
    const kind = context.conditions.includes('require') ? 'require' : 'import'
    const key = `${kind} ${specifier} ${folder}`
    if (Object.hasOwn(known, key)) {
      const { path, format } = known[key]
      return { url: `${PACKAGES}${path}`, format, shortCircuit: true }
    }
    const { url, format } = nextResolve(specifier, context)
    if (url.startsWith(PACKAGES)) {
      known[key] = { path: url.slice(PACKAGES.length), format: format ?? undefined }
      isIncomplete = true
    }
    return { url, format, shortCircuit: true }
  },
})

/** Relative, so that copies of the project and moved checkouts share it. */
function folderOf(parent) {
  const folder = parent?.slice(0, parent.lastIndexOf('/') + 1) ?? ''
  if (folder.startsWith(PACKAGES)) return folder.slice(PACKAGES.length)
  // A build runs with the packages of production only.
  const isOwn = folder.startsWith(ROOT) && !folder.startsWith(`${ROOT}build/`)
  return isOwn ? `./${folder.slice(ROOT.length)}` : undefined
}

process.on('exit', () => {
  if (!isIncomplete) return
  const temporary = `${FILE}.${process.pid}.${threadId}`
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(temporary, JSON.stringify({ ...read(), ...known }))
  renameSync(temporary, FILE)
})

function read() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {}
  }
}

/** npm writes this file whenever it changes a package. */
function timeOfInstallation() {
  return statSync(join(FOLDER, '.package-lock.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
