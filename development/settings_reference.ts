import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'

interface Setting {
  name: string
  type: string
  default: string
  description: string
  isRequired: boolean
}

interface Group {
  title: string
  settings: Setting[]
}

const SOURCE = 'start/env.ts'

/**
 * The page of all settings, made from the comments and types in `start/env.ts`.
 *
 * @param root The folder of the project
 * @throws Error naming a setting without a comment
 */
export async function renderSettingsReference(root: string): Promise<string> {
  const source = await readFile(join(root, SOURCE), 'utf8')
  const tables = groupsIn(source).map(
    ({ title, settings }) =>
      `## ${title}\n\n| Name | Value | Default | Meaning |\n|---|---|---|---|\n${settings.map(row).join('\n')}\n`
  )
  return `${INTRODUCTION}\n${tables.join('\n')}\n${OTHERS}`
}

const INTRODUCTION = `# Configuration

Settings come from the environment or, outside production, from \`.env\`. In production nothing is generated: if settings are missing or
unsafe, neither the service nor its commands start, and one message lists every problem. [Behaviour of the settings](behaviour/configuration.md)
has the details.

A setting marked **required** must be set in production. Outside production it has a default or is generated into \`.env\`.

Generated from \`${SOURCE}\` by \`npm run ace -- settings:reference\`.
`

const OTHERS = `## Read by others

| Name | Default | Meaning |
|---|---|---|
| \`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`OTEL_SERVICE_NAME\` | none, \`concierge\` | OpenTelemetry collector that receives a span of each request, [an optional part](../how-to/deploy.md#monitoring) in production. Set in the environment itself, not in \`.env\`, like the other settings of OpenTelemetry. |
| \`DEVELOPMENT_IDP_PORT\`, \`DEVELOPMENT_SMTP_PORT\`, \`DEVELOPMENT_MAILBOX_PORT\`, \`DEVELOPMENT_INBOX_PORT\` | \`PORT\` + 1, + 2, + 3, + 4 | Ports of the development provider, the development mailbox, its page, and the page with the inbox component. |
| \`DEVELOPMENT_FOLDER\` | \`tmp/development\` | Folder of the development provider's key and state, and of the address of the running world. |
| \`TEST_DATABASE_URL\` | a server of its own | PostgreSQL server that \`npm test\` uses. |
`

function row({ name, type, isRequired, description, default: value }: Setting) {
  const stated = isRequired ? '**required**' : value
  return `| \`${name}\` | ${type} | ${stated} | ${description} |`
}

function groupsIn(text: string): Group[] {
  const file = ts.createSourceFile(SOURCE, text, ts.ScriptTarget.Latest, true)
  const groups: Group[] = []
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAssignment(node) && /^[A-Z_]+$/.test(node.name.getText())) {
      const title = titleBefore(node, text)
      if (title) groups.push({ title, settings: [] })
      groups.at(-1)!.settings.push(settingOf(node))
    } else ts.forEachChild(node, visit)
  }
  visit(file)
  return groups
}

/** A line comment before a setting begins a group. */
function titleBefore(node: ts.Node, text: string): string | undefined {
  const comments = ts.getLeadingCommentRanges(text, node.pos) ?? []
  const line = comments.find(({ kind }) => kind === ts.SyntaxKind.SingleLineCommentTrivia)
  return line && text.slice(line.pos + 2, line.end).trim()
}

function settingOf(node: ts.PropertyAssignment): Setting {
  const name = node.name.getText()
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default')
  const description = oneLine(comment?.comment)
  if (!description) throw new Error(`${name} in ${SOURCE} has no comment`)
  const schema = node.initializer.getText()
  return {
    name,
    type: typeOf(schema),
    default: oneLine(tag?.comment),
    description,
    isRequired: isRequired(schema),
  }
}

const oneLine = (comment: Parameters<typeof ts.getTextOfJSDocComment>[0]) =>
  (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ').trim()

function typeOf(schema: string): string {
  const values = /enum\.optional\(\[([^\]]*)\]/.exec(schema)?.[1]
  if (values) return [...values.matchAll(/'(\w+)'/g)].map(([, value]) => `\`${value}\``).join(', ')
  if (schema.includes("format: 'url'")) return 'URL'
  return /schema\.(number|boolean)/.exec(schema)?.[1] ?? 'text'
}

const isRequired = (schema: string) =>
  /schema\.(?:secret|string)\(\)/.test(schema) ||
  schema.includes('=> !inProduction())') ||
  schema.includes('=> !inProduction(), ')
