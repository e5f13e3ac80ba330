/** What the builds of packages for browsers have in common. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Runs a build unless the package, the lock file and these files are those of the last one. */
export function buildIfChanged(folder, { alsoFrom = [] }, build) {
  const dist = join(folder, 'dist')
  const stamp = join(dist, '.built')
  const own = filesIn(folder).filter((file) => !file.startsWith(dist))
  const sources = fingerprintOf([...alsoFrom, path('../package-lock.json'), ...own])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  build()
  writeFileSync(stamp, sources)
}

export function runVite(folder) {
  run(folder, findVite(), 'build', '--logLevel=warn')
}

/** Runs a script of Node.js. Ends the process if it fails. */
export function run(folder, script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(status ?? 1)
}

export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** @returns nothing in a production install */
export function findVite() {
  try {
    const manifest = createRequire(import.meta.url).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    return undefined
  }
}

function fingerprintOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${relative(path('.'), file)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}
