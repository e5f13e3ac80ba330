import {
  Lexer,
  LineCounter,
  type Pair,
  Parser,
  type Scalar,
  parseDocument,
  stringify,
  visit,
} from 'yaml'
import { MAX_JSON_DEPTH } from '#core/http/json_depth'
import { nestedTooDeep, parseJson } from '#core/http/parse_json'
import { MalformedYaml } from '#app/policies/exceptions'

/**
 * Reads YAML 1.2 with the limits of JSON bodies: no aliases, tags, or keys that are written twice.
 * Hostile texts take more than linear time.
 *
 * @throws MalformedYaml, ValidationError
 */
export function parseYaml(text: string): unknown {
  requireShallow(text)
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    resolveKnownTags: false,
    // The parser's own check takes quadratic time.
    uniqueKeys: false,
  })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw malformed(fault.message, lineCounter.linePos(fault.pos[0]))
  // Version 1.1 reads `yes` and `010` in other ways, and merges maps.
  if (document.directives.yaml.version !== '1.2') {
    throw malformed('Only YAML 1.2 is allowed', lineCounter.linePos(0))
  }
  visit(document, {
    Alias: (_, { range }) => {
      throw malformed('Aliases are not allowed', lineCounter.linePos(range?.[0] ?? 0))
    },
    Map: (_, { items }) => requireUniqueKeys(items as Pair<Scalar>[], lineCounter),
  })
  // Applies the rules of JSON bodies, for example about depth and NUL characters.
  return parseJson(Buffer.from(JSON.stringify(document.toJS() ?? null)))
}

export function writeYaml(content: unknown): string {
  return stringify(content, { lineWidth: 0 })
}

/** The document and a scalar are on the stack of the parser, besides the collections. */
const MAX_STACK = MAX_JSON_DEPTH + 2

/**
 * Composing nodes is recursive. V8 can end the process where the stack overflows in a regular
 * expression.
 */
function requireShallow(text: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme))
    if (parser.stack.length > MAX_STACK) throw nestedTooDeep('YAML')
  }
}

function requireUniqueKeys(items: Pair<Scalar>[], lineCounter: LineCounter) {
  const seen = new Set<unknown>()
  for (const { key } of items) {
    const name = String(key.value)
    if (seen.has(name)) {
      const place = lineCounter.linePos(key.range?.[0] ?? 0)
      throw malformed(`The key ${name} appears twice`, place)
    }
    seen.add(name)
  }
}

function malformed(reason: string, { line, col: column }: { line: number; col: number }) {
  const detail = `${reason} (line ${line}, column ${column})`
  return new MalformedYaml({ detail, details: { line, column, reason } })
}
