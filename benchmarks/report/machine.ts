import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, cpus, platform, release, totalmem } from 'node:os'

const require = createRequire(import.meta.url)

/** Where and with what a run was made. */
export function describeMachine() {
  return {
    processor: cpus()[0].model,
    processors: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    packages: Object.fromEntries(
      ['@adonisjs/core', 'fastify', 'casbin', '@cerbos/cerbos-linux-x64', 'autocannon'].map(
        (name) => [name, versionOf(name)]
      )
    ),
  }
}

/** Read as a file: not every package lets its manifest be imported. */
function versionOf(name: string) {
  const folders = require.resolve.paths(name) ?? []
  const file = folders.map((folder) => `${folder}/${name}/package.json`).find(existsSync)
  if (file === undefined) return 'unknown'
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
