import ts from 'typescript'

export interface Documentation {
  summary: string
  description?: string
  /** Where the comment names a standard or a section, such as `RFC 8058`. */
  section?: string
}

const SECTION =
  /\b(?:specification|decisions|RFC|OpenID)(?: part)? \d[\d.]*(?:(?:, | and | to )\d[\d.]*)*/gi

/**
 * The texts from the comments of a controller: the first sentence of the method's is the summary,
 * the rest the description. The section is named by the method's comment, else by the class's.
 *
 * @throws Error when the method has no comment
 */
export function documentationOf(method: ts.MethodDeclaration): Documentation {
  const [summary, ...rest] = sentencesOf(method)
  if (!summary) throw new Error('It has no comment; the first sentence becomes the summary')
  const section = sectionIn(method) ?? sectionIn(method.parent)
  return { summary: summary.replace(/\.$/, ''), description: rest.join(' ') || undefined, section }
}

function sectionIn(node: ts.Node): string | undefined {
  const found = commentOf(node).match(SECTION)
  return found
    ? found
        .map((section) =>
          section.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
        )
        .join(', ')
    : undefined
}

/** Sentences end in a full stop and a blank; the full stop of `4.3` does not. */
function sentencesOf(node: ts.Node): string[] {
  return commentOf(node)
    .replaceAll(/\s*\((?:specification|decisions)[^)]*\)/gi, '')
    .split(/(?<=[.!?]) (?=[A-Z`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return (ts.getTextOfJSDocComment(comment?.comment) ?? '').replaceAll(/\s+/g, ' ').trim()
}
