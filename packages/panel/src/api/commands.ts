/** Quotes a word for a shell. */
export const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The request as a command. The token comes from the environment and is never shown. */
export async function asCurl(request: Request): Promise<string> {
  const body = await request.clone().text()
  const parts = [`curl -X ${request.method} ${quoted(request.url)}`]
  parts.push('-H "Authorization: Bearer $CONCIERGE_TOKEN"')
  const match = request.headers.get('if-match')
  if (match) parts.push(`-H ${quoted(`If-Match: ${match}`)}`)
  const type = request.headers.get('content-type') ?? 'application/json'
  if (body) parts.push(`-H ${quoted(`Content-Type: ${type}`)}`, `--data-binary ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

/** What a command line is made from: the matched parts of a path and the body of a request. */
type Words = (path: string[], body: Record<string, unknown>) => (string | null | undefined)[] | null

interface Rule {
  method: string
  path: RegExp
  words: Words
}

const rules: Rule[] = []

/**
 * Says how a request is written as a `concierge` command.
 *
 * @param path such as `/api/applications/:appCode/roles`
 * @param words what follows `concierge`; empty ones are left out, null means that there is none
 */
export function conciergeCommand(method: string, path: string, words: Words) {
  const pattern = path.replaceAll(/:\w+/g, '([^/]+)')
  rules.push({ method, path: new RegExp(`^${pattern}$`), words })
}

/** An option with its value; nothing if the value is empty. */
export const option = (name: string, value: unknown): string[] =>
  value === null || value === undefined || value === '' ? [] : [`--${name}`, String(value)]

export const conciergeLine = (words: string[]) => ['concierge', ...words.map(quoted)].join(' ')

/** The request as a `concierge` command; null if there is none for it. */
export async function asConcierge(request: Request): Promise<string | null> {
  const { pathname } = new URL(request.url)
  const rule = rules.find(({ method, path }) => method === request.method && path.test(pathname))
  if (!rule) return null
  const text = await request.clone().text()
  const parts = rule.path.exec(pathname)!.slice(1).map(decodeURIComponent)
  const words = rule.words(parts, text ? (JSON.parse(text) as Record<string, unknown>) : {})
  if (words === null) return null
  return ['concierge', ...words.filter((word): word is string => Boolean(word)).map(quoted)].join(
    ' '
  )
}
