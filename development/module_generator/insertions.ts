import { panelTitle } from '#development/module_generator/panel_data'
import {
  type ModuleRequest,
  capitalized,
  isOfApplication,
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
    ...auditFiles(request),
    ...(request.withPanel ? panelFiles(request) : []),
  ]
}

/** What the audit trail can say about the resource, and how the panel says it. */
function auditFiles(request: ModuleRequest): SharedFile[] {
  const { one } = request.names
  const kind = one.snake
  const title = capitalized(one.words)
  const texts = (language: string, said: Record<string, string>): SharedFile => ({
    path: `${PANEL}/locales/${language}/changes.json`,
    insertions: [listEntry(`"${kind}": ${JSON.stringify(said)},`, '"action": {', /^ {4}"/m)],
  })
  return [
    {
      path: 'app/core/audit/audit_actions.ts',
      insertions: ['created', 'updated', 'deleted'].map((done) =>
        listEntry(`'${kind}.${done}',`, 'export const AUDIT_ACTIONS = [', /^\] as const/m)
      ),
    },
    texts('en', {
      created: `${title} created`,
      updated: `${title} changed`,
      deleted: `${title} deleted`,
    }),
    texts('cs', {
      created: `${title}: vytvořeno`,
      updated: `${title}: změněno`,
      deleted: `${title}: smazáno`,
    }),
  ]
}

const PANEL = 'packages/panel/src'

/** A screen in the panel's routes, navigation and texts, and in the tests of all screens. */
function panelFiles(request: ModuleRequest): SharedFile[] {
  const { section, many } = request.names
  const ofApplication = isOfApplication(request)
  const title = panelTitle(request)
  const path = `/${many.kebab}`
  const route = ofApplication ? `/apps/:appCode${path}` : path
  const icon = many.pascal
  const audience = ofApplication ? '' : ', isFor: ({ isSuperAdmin }) => isSuperAdmin.value'
  const component = `() => import('@/pages/${section.snake}/${many.pascal}Page.vue')`
  const label = (language: string): SharedFile => ({
    path: `${PANEL}/locales/${language}/frame.json`,
    insertions: [listEntry(`"${many.camel}": "${title}",`, '{', /^ {2}"/m)],
  })
  return [
    {
      path: `${PANEL}/routes/${ofApplication ? 'application' : 'platform'}.ts`,
      insertions: [
        listEntry(
          `{ path: '${path}', component: ${component}, meta: { texts: ['${many.snake}'] } },`,
          ofApplication ? 'export const ofApplication' : 'export const routes',
          ofApplication ? /^\]/m : /^ {2}\{ path: '\/:path/m
        ),
      ],
    },
    {
      path: `${PANEL}/frame/navigation.ts`,
      insertions: [
        line(
          `import ${icon} from '~icons/lucide/box'`,
          'import',
          /^import \{ useApplicationInUrl/m
        ),
        listEntry(
          `{ label: 'frame.${many.camel}', icon: ${icon}, path: '${path}'${audience} },`,
          ofApplication ? 'const OF_APPLICATION' : 'const OF_PLATFORM',
          /^\]/m
        ),
      ],
    },
    label('en'),
    label('cs'),
    {
      path: `${PANEL}/locales/en/index.ts`,
      insertions: [
        line(`import ${many.camel} from './${many.snake}.json'`, 'import', /^import shell/m),
        listEntry(
          many.camel === many.snake
            ? `...{ ${many.camel} },`
            : `...{ ${many.snake}: ${many.camel} },`,
          'export default {',
          /^\}/m
        ),
      ],
    },
    {
      path: 'tests/browser/screens.ts',
      insertions: [
        listEntry(
          `{ route: '${route}', heading: '${title}' },`,
          'const SCREENS',
          /^ {2}\{\n? *route: '\/:path/m
        ),
      ],
    },
  ]
}

function line(text: string, after: string, before: RegExp): Insertion {
  return { mark: text, text: `${text}\n`, after, before }
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
