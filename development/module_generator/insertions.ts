import type { ModuleRequest } from '#development/module_generator/stub_data'
import { ProjectConflict } from '#development/module_generator/generator_errors'

/** An addition to a file that all sections share. */
interface Insertion {
  /** The addition exists if the file contains this. */
  mark: string
  text: string
  /** The text goes before the first match of `before` that follows `after`. */
  after: string
  before: RegExp
}

export interface SharedFile {
  path: string
  insertions: Insertion[]
}

/** Additions of a module to existing files, formatted like the entries around them. */
export function sharedFiles(request: ModuleRequest): SharedFile[] {
  const { section } = request.names
  return [
    {
      path: 'eslint.config.js',
      insertions: [listEntry(`'${section.snake}',`, 'const SECTIONS = [', /^\]/m)],
    },
    {
      path: 'start/routes.ts',
      insertions: [
        listEntry(`import '#app/${section.snake}/routes'`, "import '#core/routes'", /$(?![^])/),
      ],
    },
  ]
}

function listEntry(entry: string, after: string, before: RegExp): Insertion {
  return { mark: entry, text: `  ${entry}\n`, after, before }
}

/**
 * Returns the text unchanged if nothing is missing.
 * @throws ProjectConflict if the place to insert something is gone
 */
export function withInsertions({ path, insertions }: SharedFile, text: string): string {
  for (const { mark, text: added, after, before } of insertions) {
    if (withoutSpaces(text).includes(withoutSpaces(mark))) continue
    const start = text.indexOf(after)
    const found = start === -1 ? null : before.exec(text.slice(start))
    if (!found) {
      throw new ProjectConflict(`${path} has no place for: ${added.trim()}`, [path])
    }
    const at = start + found.index
    text = text.slice(0, at) + added + text.slice(at)
  }
  return text
}

/** Ignores spaces and commas that the formatter may have changed. */
const withoutSpaces = (text: string) => text.replace(/[\s,]+/g, '')
