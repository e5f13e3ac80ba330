import {
  type ModuleRequest,
  isOfApplication,
  pathOf,
} from '#development/module_generator/stub_data'
import { Obstacle } from '#development/module_generator/refusal'

/** A place in a file that all sections share, where a module adds what is its own. */
interface Insertion {
  /** The text is there when the file holds this. */
  mark: string
  text: string
  /** Where the text goes: right before the first match of `before` behind `after`. */
  after: string
  before: RegExp
}

export interface SharedFile {
  path: string
  insertions: Insertion[]
}

/** What a module adds to files that exist, in every spelling that their own entries have. */
export function sharedFiles(request: ModuleRequest): SharedFile[] {
  const { section, one } = request.names
  const path = pathOf(request)
  const row = isOfApplication(request)
    ? `${one.pascal}Factory.merge({ applicationId: application.id })`
    : `${one.pascal}Factory`
  const scene = isOfApplication(request) ? '({ application })' : '()'
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
      insertions: [listed(`'${section.snake}',`, 'const SECTIONS = [', /^\]/m)],
    },
    {
      path: 'start/routes.ts',
      insertions: [
        listed(`import '#app/${section.snake}/routes'`, "import '#core/routes'", /$(?![^])/),
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
          mark: `'${request.names.many.kebab}/:id': async ${scene} => (await ${row}`,
          text: `  '${request.names.many.kebab}/:id': async ${scene} => (await ${row}.create()).id,\n`,
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

function listed(entry: string, after: string, before: RegExp): Insertion {
  return { mark: entry, text: `  ${entry}\n`, after, before }
}

/**
 * The text of a shared file with what it lacks; the same text when it lacks nothing.
 *
 * @throws Obstacle when the file no longer has the place
 */
export function extended({ path, insertions }: SharedFile, text: string): string {
  for (const { mark, text: added, after, before } of insertions) {
    if (flat(text).includes(flat(mark))) continue
    const start = text.indexOf(after)
    const found = start === -1 ? null : before.exec(text.slice(start))
    if (!found) {
      throw new Obstacle(`${path} has no place any more for: ${added.trim()}`, [path])
    }
    const at = start + found.index
    text = text.slice(0, at) + added + text.slice(at)
  }
  return text
}

/** Without the blanks and commas that the formatter may have put anywhere. */
const flat = (text: string) => text.replace(/[\s,]+/g, '')
