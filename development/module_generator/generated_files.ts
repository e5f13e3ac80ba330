import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ModuleRequest } from '#development/module_generator/stub_data'

/** A file that a command writes from the code, and what it holds once it knows the module. */
export interface GeneratedFile {
  path: string
  command: string
  /** Sources that it is written from. */
  from: RegExp
  mark: (request: ModuleRequest) => string
}

/** In the order in which they need each other. */
const GENERATED: GeneratedFile[] = [
  {
    path: '.adonisjs/server/controllers.ts',
    command: 'codegen',
    from: /\/controllers\/|\/routes\.ts$/,
    mark: ({ names: { section, many } }) => `#app/${section.snake}/controllers/${many.snake}_`,
  },
  {
    path: 'database/schema.ts',
    command: 'migration:run',
    from: /^database\/migrations\//,
    mark: ({ names: { one } }) => `class ${one.pascal}Schema `,
  },
  {
    path: 'docs/reference/errors.md',
    command: 'errors:reference',
    from: /\/exceptions\.ts$/,
    mark: ({ names: { one } }) => `\`${one.constant}_NOT_FOUND\``,
  },
  {
    path: 'docs/reference/openapi.json',
    command: 'openapi:generate',
    from: /^app\//,
    mark: ({ names: { section, many } }) => `"${section.snake}.${many.snake}.index"`,
  },
]

/** Those that a change of the sources at `paths` makes out of date, and those that do not know the module. */
export async function outdated(
  request: ModuleRequest,
  paths: string[],
  root: string
): Promise<GeneratedFile[]> {
  const isOld = await Promise.all(
    GENERATED.map(async ({ path, from, mark }) => {
      const contents = await readFile(join(root, path), 'utf8').catch(() => '')
      return paths.some((source) => from.test(source)) || !contents.includes(mark(request))
    })
  )
  return GENERATED.filter((_, index) => isOld[index])
}

/**
 * Writes one of them, in a process of its own: this one has read the code as it was. It has an empty database for
 * itself, so that the schema shows what the migrations say and no database of somebody's is touched.
 *
 * @returns What the command printed when it failed, else null
 */
export async function regenerate({ command }: GeneratedFile, root: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'concierge-module-'))
  try {
    const child = spawn(process.execPath, ['ace.js', command, '--no-ansi'], {
      cwd: root,
      env: { ...process.env, ...settings(folder) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const code = await new Promise((resolve, reject) =>
      child.on('exit', resolve).on('error', reject)
    )
    const printed = (await output).join('').trim()
    return code === 0 ? null : printed
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a process needs to start; nothing of it is ever used. */
function settings(folder: string) {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'silent',
    APP_KEY: 'only-for-generating-files-0123456789',
    INTERNAL_API_KEY: 'unused',
    WEBHOOK_SECRET: 'unused',
    DB_CONNECTION: 'sqlite',
    SQLITE_PATH: join(folder, 'empty.sqlite3'),
  }
}
