import { isReservedName } from '#core/values/identifiers'

/** Reserved words of JavaScript and TypeScript. */
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

/** Names that the generated code uses itself; a test compares them with the stubs. */
export const USED_BY_STUBS = new Set(
  `
    admin allPages anApplication appCode application applicationId assert canEdit canView
    changed changes client controllers created createdAt createScope ctx data defineProblem
    deleted editor elsewhere email emptied factory field fields first flag httpUrl id idParam
    integer isoTimestamp items kept label last mapUniqueViolation middleware mine moment
    optionalFields other page paged pageOf pagingFields panelPerson path problem prose
    randomUUID refused renamed response responses router rows same second shown signedIn sizes
    slug successEnvelope superAdmin table taken test textParam throttle timestamp toDateTime
    transaction trx uniqueCode updatedAt url value viewer vine
  `
    .trim()
    .split(/\s+/)
)

export function isReservedWord(name: string): boolean {
  return LANGUAGE.has(name) || isReservedName(name) || name in globalThis
}
