import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Coding } from '#core/http/content_coding'
import { projectPath } from '#core/process/root'
import { PanelNotBuilt } from '#app/panel/exceptions'

/** A file of the panel, with its compressed forms, which the build makes. */
export interface PanelFile {
  contentType: string
  etag: string
  /** Whether its name changes with its content. */
  isHashed: boolean
  bodies: Partial<Record<Coding, Buffer>> & { identity: Buffer }
}

export const SHELL = 'index.html'
export const PREVIEW = 'preview.html'

const FOLDER = join(projectPath(), 'packages/panel/dist')
const ASSETS = 'assets/'
/** The description of the route lists them, too. */
const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

let files: Promise<Map<string, PanelFile>> | undefined

/** By their path below `/panel`. They stay in memory. @throws PanelNotBuilt */
export async function panelFiles(): Promise<Map<string, PanelFile>> {
  if (!existsSync(join(FOLDER, SHELL))) throw new PanelNotBuilt()
  return (files ??= readFiles())
}

async function readFiles() {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
    .map((entry) => join(entry.parentPath, entry.name))
  const found = await Promise.all(
    paths.map(async (path) => {
      const name = relative(FOLDER, path).split(sep).join('/')
      return [name, await readPanelFile(path, name)] as const
    })
  )
  return new Map(found)
}

async function readPanelFile(path: string, name: string): Promise<PanelFile> {
  const identity = await readFile(path)
  const [gzip, br] = await Promise.all([readIfPresent(`${path}.gz`), readIfPresent(`${path}.br`)])
  return {
    contentType: CONTENT_TYPES[extname(name)],
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 16),
    isHashed: name.startsWith(ASSETS),
    bodies: { identity, ...(gzip && { gzip }), ...(br && { br }) },
  }
}

const readIfPresent = (path: string) => (existsSync(path) ? readFile(path) : undefined)

/** A missing one must be 404, because browsers would run the shell as a script. */
export const isAsset = (name: string) => `${name}/`.startsWith(ASSETS)
