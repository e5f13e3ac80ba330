import { isReservedName } from '#core/values/identifiers'

/** Reserved words of JavaScript and TypeScript. */
const LANGUAGE = new Set([
  'abstract',
  'any',
  'arguments',
  'as',
  'async',
  'await',
  'bigint',
  'boolean',
  'break',
  'case',
  'catch',
  'class',
  'const',
  'continue',
  'debugger',
  'declare',
  'default',
  'delete',
  'do',
  'else',
  'enum',
  'eval',
  'export',
  'extends',
  'false',
  'finally',
  'for',
  'from',
  'function',
  'get',
  'if',
  'implements',
  'import',
  'in',
  'infer',
  'instanceof',
  'interface',
  'is',
  'keyof',
  'let',
  'module',
  'namespace',
  'never',
  'new',
  'null',
  'number',
  'object',
  'of',
  'override',
  'package',
  'private',
  'protected',
  'public',
  'readonly',
  'require',
  'return',
  'satisfies',
  'set',
  'static',
  'string',
  'super',
  'switch',
  'symbol',
  'this',
  'throw',
  'true',
  'try',
  'type',
  'typeof',
  'undefined',
  'unique',
  'unknown',
  'using',
  'var',
  'void',
  'while',
  'with',
  'yield',
])

/** Names that the generated code uses itself; a test compares them with the stubs. */
export const USED_BY_STUBS = new Set(
  `
    about action actions admin allPages anApplication api appCode application applicationId
    assert before body canEdit canView changed changes client columns components computed
    controllers createScope created createdAt creationOf ctx data defineAsyncComponent
    defineProblem deleted deletion deletionOf done edited editor elsewhere email emit emptied
    error factory field fields first flag form given httpUrl id idParam integer isEditor
    isPending isReady isoTimestamp items kept label last lead mapUniqueViolation middleware
    mine moment onSuccess optionalFields other page pageOf paged pager pagingFields
    panelPerson params path problem prose queries query randomUUID readFresh recordChange ref
    refetch refused renamed response responses router row rows same second shown signal
    signedIn sizes slug stored successEnvelope superAdmin t table taken target test textParam
    throttle timestamp toDateTime toLocalTime toNext toNumber toPrevious toTime toValue toast
    transaction trx uniqueCode unwanted updateOf updatedAt url useAppCode useChange useForm
    useI18n usePagedQuery useQuery useQueryClient useSession value values viewer vine
  `
    .trim()
    .split(/\s+/)
)

export function isReservedWord(name: string): boolean {
  return LANGUAGE.has(name) || isReservedName(name) || name in globalThis
}
