import { isBuiltin } from 'node:module'
import string from '@adonisjs/core/helpers/string'
import { USED_BY_STUBS, isReservedWord } from '#development/module_generator/reserved_words'
import { InvalidModuleRequest } from '#development/module_generator/generator_errors'

const MAX_LENGTH = 30
const SNAKE = /^[a-z]+(?:_[a-z]+)*$/

/** Folders of sections, of the framework and of the project. */
const TAKEN_NAMES = new Set([
  'actions',
  'controllers',
  'events',
  'listeners',
  'middleware',
  'models',
  'queries',
  'transformers',
  'validators',
  'values',
  'exceptions',
  'routes',
  'services',
  'policies',
  'adonis',
  'adonisjs',
  'app',
  'bin',
  'build',
  'commands',
  'config',
  'database',
  'development',
  'docs',
  'generated',
  'node',
  'node_modules',
  'providers',
  'public',
  'resources',
  'start',
  'stubs',
  'tests',
  'tmp',
  'admin',
  'api',
  'health',
  'internal',
  'index',
  'main',
  'con',
  'nul',
  'aux',
])

/** One name in every spelling that the generated code needs. */
export interface Spellings {
  snake: string
  camel: string
  pascal: string
  kebab: string
  /** `meeting room` */
  words: string
  /** `MEETING_ROOM` */
  constant: string
}

export interface ModuleNames {
  section: Spellings
  /** The resource, in singular and plural. */
  one: Spellings
  many: Spellings
}

/**
 * @param resource singular, such as `meeting_room`; default: the singular of the section
 * @throws InvalidModuleRequest for a reserved name, or one whose plural is not regular
 */
export function moduleNames(section: string, resource?: string): ModuleNames {
  requireUsable('section', section)
  if (TAKEN_NAMES.has(section) || isNodeModule(section)) {
    throw new InvalidModuleRequest(`A section cannot be called "${section}": the name is taken`)
  }
  const one = resource ?? string.singular(section)
  requireUsable('resource', one)
  const many = string.plural(one)
  if (string.singular(one) !== one) {
    throw new InvalidModuleRequest(`Name the resource in the singular: "${string.singular(one)}"`)
  }
  if (many === one || string.singular(many) !== one || !SNAKE.test(many)) {
    throw new InvalidModuleRequest(`"${one}" has no regular plural; choose another --resource`)
  }
  for (const name of [one, many]) requireUsable('resource', name)
  return { section: spellings(section), one: spellings(one), many: spellings(many) }
}

function requireUsable(what: 'section' | 'resource', name: string) {
  if (!SNAKE.test(name)) {
    throw new InvalidModuleRequest(
      `The name of a ${what} consists of lower-case letters a to z, with "_" between words${hint(name)}`
    )
  }
  if (name.length > MAX_LENGTH) {
    throw new InvalidModuleRequest(`The name of a ${what} has at most ${MAX_LENGTH} characters`)
  }
  const { camel, pascal } = spellings(name)
  const isVariable = what === 'resource' && USED_BY_STUBS.has(camel)
  if (isVariable || isReservedWord(camel) || isReservedWord(pascal)) {
    throw new InvalidModuleRequest(`A ${what} cannot be called "${name}": the name is reserved`)
  }
}

/** Suggests a valid spelling. */
function hint(name: string) {
  const suggestion = string.snakeCase(name.normalize('NFKC')).slice(0, MAX_LENGTH)
  return SNAKE.test(suggestion) ? `, such as "${suggestion}"` : ''
}

const isNodeModule = (name: string) => isBuiltin(`node:${name}`)

function spellings(snake: string): Spellings {
  return {
    snake,
    camel: string.camelCase(snake),
    pascal: string.pascalCase(snake),
    kebab: snake.replaceAll('_', '-'),
    words: snake.replaceAll('_', ' '),
    constant: snake.toUpperCase(),
  }
}
