import {
  type ModuleRequest,
  isOfApplication,
  pathOf,
} from '#development/module_generator/stub_data'
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
  const { section, one } = request.names
  const path = pathOf(request)
  const row = isOfApplication(request)
    ? `${one.pascal}Factory.merge({ applicationId: application.id })`
    : `${one.pascal}Factory`
  const parameters = isOfApplication(request) ? '({ application })' : '()'
  const [view, edit] = isOfApplication(request) ? ['view', 'edit'] : ['super', 'super']
  const parameter = section.camel + one.pascal
  const imports = (names: string): Insertion => {
    const text = `import { ${names} } from '#database/factories/${one.snake}_factory'\n`
    return {
      mark: text,
      text,
      after: '',
      before: /^import (?:type )?(?:\w+|\{[^}]*\}) from '#tests\//m,
    }
  }

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
    {
      path: 'tests/functional/access_matrix/table.ts',
      insertions: [
        imports(`${one.camel}Fields`),
        {
          mark: `'GET ${path}'`,
          text: `
  'GET ${path}': '${view}',
  'POST ${path}': ['${edit}', ${one.camel}Fields],
  'GET ${path}/:id': '${view}',
  'PUT ${path}/:id': ['${edit}', ${one.camel}Fields],
  'DELETE ${path}/:id': '${edit}',
`,
          after: 'export const ROUTES',
          before: /^\}/m,
        },
      ],
    },
    {
      path: 'tests/functional/access_matrix/scene.ts',
      insertions: [
        imports(`${one.pascal}Factory`),
        {
          mark: `'${request.names.many.kebab}/:id': async ${parameters} => (await ${row}`,
          text: `  '${request.names.many.kebab}/:id': async ${parameters} => (await ${row}.create()).id,\n`,
          after: 'const PARAMETERS',
          before: /^\}/m,
        },
      ],
    },
    {
      path: 'tests/helpers/write_routes.ts',
      insertions: [
        imports(`${one.pascal}Factory, ${one.camel}Fields`),
        {
          mark: `'${path}/:id@${parameter}'`,
          text: `    ['POST', '${path}', ${one.camel}Fields()],
    ['PUT', '${path}/:id@${parameter}', ${one.camel}Fields()],

    ['DELETE', '${path}/:id@${parameter}'],
`,
          after: 'const rows: Row[] = [',
          before: /^ {4}\['DELETE', /m,
        },
        {
          mark: `${parameter}: (await`,
          text: `    ${parameter}: (await ${row}.create()).id,\n`,
          after: 'const parameters:',
          before: /^ {2}\}/m,
        },
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
