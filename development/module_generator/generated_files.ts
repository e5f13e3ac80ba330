import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ModuleRequest } from '#development/module_generator/stub_data'

/** A file that a command generates from the code. */
export interface GeneratedFile {
  path: string
  command: string
  sources: RegExp
  mark: (request: ModuleRequest) => string
}

/** In the order of their dependencies. */
const GENERATED: GeneratedFile[] = [
  {
    path: '.adonisjs/server/controllers.ts',
    command: 'codegen',
    sources: /\/controllers\/|\/routes\.ts$/,
    mark: ({ names: { section, many } }) => `#app/${section.snake}/controllers/${many.snake}_`,
  },
  {
    path: 'database/schema.ts',
    command: 'migration:run',
    sources: /^database\/migrations\//,
    mark: ({ names: { one } }) => `class ${one.pascal}Schema `,
  },
  {
    path: 'docs/reference/errors.md',
    command: 'errors:reference',
    sources: /\/exceptions\.ts$/,
    mark: ({ names: { one } }) => `\`${one.constant}_NOT_FOUND\``,
  },
  {
    path: 'docs/reference/openapi.json',
    command: 'openapi:generate',
    sources: /^app\//,
    mark: ({ names: { section, many } }) => `"${section.snake}.${many.snake}.index"`,
  },
]

/** The files that depend on the changed paths or do not contain the module yet. */
export async function outdatedFiles(
  request: ModuleRequest,
  paths: string[],
  root: string
): Promise<GeneratedFile[]> {
  const isOutdated = await Promise.all(
    GENERATED.map(async ({ path, sources, mark }) => {
      const contents = await readFile(join(root, path), 'utf8').catch(() => '')
      return paths.some((source) => sources.test(source)) || !contents.includes(mark(request))
    })
  )
  return GENERATED.filter((_, index) => isOutdated[index])
}

/**
 * Runs the command in a new process, because this one has loaded the old code, and with an empty
 * database, so that the schema is the one of the migrations.
 * @returns the output if the command failed, else null
 */
export async function regenerateFile(
  { command }: GeneratedFile,
  root: string
): Promise<string | null> {
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

/** Required to start, but never used. */
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
