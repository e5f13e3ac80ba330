import { isReservedName } from '#core/values/identifiers'

/** What the language reserves, in strict mode and in TypeScript. */
const LANGUAGE = new Set([
  ...['abstract', 'any', 'arguments', 'as', 'async', 'await', 'bigint', 'boolean', 'break', 'case'],
  ...['catch', 'class', 'const', 'continue', 'debugger', 'declare', 'default', 'delete', 'do'],
  ...['else', 'enum', 'eval', 'export', 'extends', 'false', 'finally', 'for', 'from', 'function'],
  ...['get', 'if', 'implements', 'import', 'in', 'infer', 'instanceof', 'interface', 'is', 'keyof'],
  ...['let', 'module', 'namespace', 'never', 'new', 'null', 'number', 'object', 'of', 'override'],
  ...['package', 'private', 'protected', 'public', 'readonly', 'require', 'return', 'satisfies'],
  ...['set', 'static', 'string', 'super', 'switch', 'symbol', 'this', 'throw', 'true', 'try'],
  ...['type', 'typeof', 'undefined', 'unique', 'unknown', 'using', 'var', 'void', 'while', 'with'],
  'yield',
])

/** What the generated files call their own variables and imports (a test compares this with the stubs). */
export const USED_BY_STUBS = new Set([
  ...[
    'admin',
    'anApplication',
    'answers',
    'application',
    'assert',
    'canEdit',
    'canView',
    'changes',
  ],
  ...[
    'client',
    'code',
    'controllers',
    'createValidator',
    'ctx',
    'defineProblem',
    'editor',
    'factory',
  ],
  ...['field', 'fields', 'flag', 'httpUrl', 'id', 'idParam', 'integer', 'isoTimestamp', 'label'],
  ...['list', 'middleware', 'mine', 'notNull', 'other', 'page', 'paged', 'pageOf', 'pagingFields'],
  ...['panelPerson', 'path', 'prose', 'randomInt', 'randomUUID', 'response', 'router', 'signedIn'],
  ...['slug', 'success', 'superAdmin', 'table', 'test', 'textParam', 'throttle', 'timestamp'],
  ...[
    'toMoment',
    'transaction',
    'trx',
    'uniqueCode',
    'uniqueEmail',
    'unlessTaken',
    'value',
    'vine',
  ],
])

/** Whether no variable, class or property of the generated code may have this name. */
export function isReservedWord(name: string): boolean {
  return LANGUAGE.has(name) || USED_BY_STUBS.has(name) || isReservedName(name) || name in globalThis
}
